package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// load registers the families of a page that do not come from the list, and gives them their values. It reads one
// family after the other, because a page can be large. That Go's parser reads the page is part of the proof.
func load(path string, registry *prometheus.Registry, isKnown func(family string) bool) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	lines := bufio.NewReaderSize(plain, 1<<20)
	var text bytes.Buffer
	for {
		line, err := lines.ReadBytes('\n')
		if bytes.HasPrefix(line, []byte("# HELP ")) || errors.Is(err, io.EOF) {
			if err := register(&text, registry, isKnown); err != nil {
				return err
			}
			text.Reset()
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text.Write(line)
	}
}

func register(text io.Reader, registry *prometheus.Registry, isKnown func(family string) bool) error {
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(text)
	if err != nil {
		return err
	}
	for name, family := range families {
		isOfProcess := strings.HasPrefix(name, "nodejs_") || strings.HasPrefix(name, "process_")
		if isKnown(name) || isOfProcess || len(family.Metric) == 0 {
			continue
		}
		fill(family, registry)
	}
	return nil
}

// fill makes a vector of a family. Labels that only some series have are empty for the others.
func fill(family *dto.MetricFamily, registry *prometheus.Registry) {
	var labels []string
	place := map[string]int{}
	for _, metric := range family.Metric {
		for _, label := range metric.Label {
			if _, isKnown := place[label.GetName()]; !isKnown {
				place[label.GetName()] = len(labels)
				labels = append(labels, label.GetName())
			}
		}
	}
	valuesOf := func(metric *dto.Metric) []string {
		values := make([]string, len(labels))
		for _, label := range metric.Label {
			values[place[label.GetName()]] = label.GetValue()
		}
		return values
	}
	name, help := family.GetName(), family.GetHelp()
	switch family.GetType() {
	case dto.MetricType_COUNTER:
		vector := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		registry.MustRegister(vector)
		for _, metric := range family.Metric {
			vector.WithLabelValues(valuesOf(metric)...).Add(metric.Counter.GetValue())
		}
	case dto.MetricType_GAUGE:
		vector := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
		registry.MustRegister(vector)
		for _, metric := range family.Metric {
			vector.WithLabelValues(valuesOf(metric)...).Set(metric.Gauge.GetValue())
		}
	case dto.MetricType_HISTOGRAM:
		vector := prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: name, Help: help, Buckets: boundsOf(family.Metric[0].Histogram),
		}, labels)
		registry.MustRegister(vector)
		for _, metric := range family.Metric {
			observe(vector.WithLabelValues(valuesOf(metric)...), metric.Histogram)
		}
	}
}

func boundsOf(histogram *dto.Histogram) []float64 {
	var bounds []float64
	for _, bucket := range histogram.Bucket {
		bounds = append(bounds, bucket.GetUpperBound())
	}
	return bounds
}

// observe gives a histogram its counts: each response time is the bound of its bucket, in the last one a minute.
func observe(observer prometheus.Observer, histogram *dto.Histogram) {
	var before uint64
	for _, bucket := range histogram.Bucket {
		for ; before < bucket.GetCumulativeCount(); before++ {
			observer.Observe(min(bucket.GetUpperBound(), 60))
		}
	}
}
