// Serves the families and series of a page with client_golang, as exporters do that make const metrics at each
// scrape. Usage: go-exporter PAGE.gz; prints its port.
package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"sort"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

type series struct {
	desc      *prometheus.Desc
	labels    []string
	valueType prometheus.ValueType
	value     float64
	count     uint64
	buckets   map[float64]uint64
}

type collector []series

// Describe sends nothing: the collector is unchecked, as is usual where the labels are only known at run time.
func (c collector) Describe(chan<- *prometheus.Desc) {}

func (c collector) Collect(metrics chan<- prometheus.Metric) {
	for i := range c {
		s := &c[i]
		if s.buckets != nil {
			metrics <- prometheus.MustNewConstHistogram(s.desc, s.count, s.value, s.buckets, s.labels...)
		} else {
			metrics <- prometheus.MustNewConstMetric(s.desc, s.valueType, s.value, s.labels...)
		}
	}
}

func main() {
	families, err := read(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collect(families))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}

// read also proves that Go's parser reads the page.
func read(path string) (map[string]*dto.MetricFamily, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	return parser.TextToMetricFamilies(bufio.NewReaderSize(plain, 1<<20))
}

func collect(families map[string]*dto.MetricFamily) collector {
	var all collector
	names := make([]string, 0, len(families))
	for name := range families {
		if !strings.HasPrefix(name, "go_") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		family := families[name]
		descs := map[string]*prometheus.Desc{}
		for _, metric := range family.Metric {
			labelNames := make([]string, len(metric.Label))
			s := series{labels: make([]string, len(metric.Label))}
			for i, label := range metric.Label {
				labelNames[i], s.labels[i] = label.GetName(), label.GetValue()
			}
			key := strings.Join(labelNames, ",")
			if descs[key] == nil {
				descs[key] = prometheus.NewDesc(name, family.GetHelp(), labelNames, nil)
			}
			s.desc = descs[key]
			switch family.GetType() {
			case dto.MetricType_COUNTER:
				s.valueType, s.value = prometheus.CounterValue, metric.Counter.GetValue()
			case dto.MetricType_GAUGE:
				s.valueType, s.value = prometheus.GaugeValue, metric.Gauge.GetValue()
			case dto.MetricType_HISTOGRAM:
				s.count, s.value = metric.Histogram.GetSampleCount(), metric.Histogram.GetSampleSum()
				s.buckets = map[float64]uint64{}
				for _, bucket := range metric.Histogram.Bucket {
					s.buckets[bucket.GetUpperBound()] = bucket.GetCumulativeCount()
				}
			default:
				continue
			}
			all = append(all, s)
		}
	}
	return all
}
