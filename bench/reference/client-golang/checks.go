package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

type check struct {
	ID               int64
	Created          int64
	Name             string
	Hostname         string
	Resolution       int64
	Type             string
	IPv6             bool
	Status           string
	LastErrorTime    int64
	LastTestTime     int64
	LastResponseTime int64
	LastDownStart    int64
	LastDownEnd      int64
	Severity         string `json:"severity_level"`
	Tags             []tag
}

type tag struct{ Name, Type string }

var (
	statuses   = []string{"up", "down", "unconfirmed_down", "unknown", "paused"}
	tagSources = map[string]string{"u": "user", "a": "auto"}
)

// value is a family with one gauge per check.
type value struct {
	name, help string
	of         func(*check) (float64, bool)
}

func always(of func(*check) float64) func(*check) (float64, bool) {
	return func(c *check) (float64, bool) { return of(c), true }
}

func unlessZero(of func(*check) int64) func(*check) (float64, bool) {
	return func(c *check) (float64, bool) { return float64(of(c)), of(c) != 0 }
}

var values = []value{
	{"uptime_check_up", "1 when the check is up, 0 when down.", func(c *check) (float64, bool) {
		return number(c.Status == "up"), c.Status != "paused" && c.Status != "unknown"
	}},
	{"uptime_check_paused", "1 when the check is paused, else 0.",
		always(func(c *check) float64 { return number(c.Status == "paused") })},
	{"uptime_check_resolution_seconds", "Time between two tests of the check.",
		always(func(c *check) float64 { return float64(c.Resolution * 60) })},
	{"uptime_check_last_response_time_seconds", "Response time of the last test of the check.",
		always(func(c *check) float64 { return float64(c.LastResponseTime) / 1000 })},
	{"uptime_check_last_test_timestamp_seconds", "UNIX time of the last test of the check.",
		unlessZero(func(c *check) int64 { return c.LastTestTime })},
	{"uptime_check_last_error_timestamp_seconds", "UNIX time of the last failed test of the check.",
		unlessZero(func(c *check) int64 { return c.LastErrorTime })},
	{"uptime_check_last_down_start_timestamp_seconds", "UNIX time at which the last downtime of the check began.",
		unlessZero(func(c *check) int64 { return c.LastDownStart })},
	{"uptime_check_last_down_end_timestamp_seconds", "UNIX time at which the last downtime of the check ended.",
		unlessZero(func(c *check) int64 { return c.LastDownEnd })},
	{"uptime_check_created_timestamp_seconds", "UNIX time at which the check was created.",
		unlessZero(func(c *check) int64 { return c.Created })},
}

// checkMetrics are the families of the check list.
type checkMetrics struct {
	names                 map[string]bool
	info, tagInfo, status *prometheus.GaugeVec
	values                []*prometheus.GaugeVec
	known                 map[int64]*series
}

// series are the gauges of a check, so that a new value needs no search by labels. A value that is absent is nil.
type series struct {
	labels []string
	info   []string
	tags   []tag
	status []prometheus.Gauge
	values []prometheus.Gauge
	listed bool
}

func newCheckMetrics(registry *prometheus.Registry) *checkMetrics {
	m := &checkMetrics{names: map[string]bool{}, known: map[int64]*series{}}
	vector := func(name, help string, labels ...string) *prometheus.GaugeVec {
		m.names[name] = true
		labels = append([]string{"account", "check_id", "name"}, labels...)
		gauges := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
		registry.MustRegister(gauges)
		return gauges
	}
	m.info = vector("uptime_check_info", "Properties of the check; always 1.", "check_type", "hostname", "severity", "ipv6")
	m.tagInfo = vector("uptime_check_tag_info", "A tag of the check and who set it; always 1.", "tag", "tag_source")
	m.status = vector("uptime_check_status", "The status of the check: 1 for the one it has, else 0.", "status")
	for _, v := range values {
		m.values = append(m.values, vector(v.name, v.help))
	}
	return m
}

func (m *checkMetrics) owns(family string) bool { return m.names[family] }

func (m *checkMetrics) update(list []check) {
	for _, s := range m.known {
		s.listed = false
	}
	for i := range list {
		c := &list[i]
		info := []string{c.Type, c.Hostname, strings.ToLower(c.Severity), strconv.FormatBool(c.IPv6)}
		s := m.known[c.ID]
		if s == nil || s.labels[2] != c.Name || !slices.Equal(s.info, info) || !slices.Equal(s.tags, c.Tags) {
			m.remove(s)
			s = m.add(c, info)
			m.known[c.ID] = s
		}
		s.listed = true
		m.set(s, c)
	}
	for id, s := range m.known {
		if !s.listed {
			m.remove(s)
			delete(m.known, id)
		}
	}
}

func (m *checkMetrics) add(c *check, info []string) *series {
	s := &series{
		labels: []string{"main", strconv.FormatInt(c.ID, 10), c.Name},
		info:   info,
		tags:   c.Tags,
		values: make([]prometheus.Gauge, len(values)),
	}
	m.info.WithLabelValues(slices.Concat(s.labels, info)...).Set(1)
	for _, t := range c.Tags {
		m.tagInfo.WithLabelValues(slices.Concat(s.labels, []string{t.Name, tagSources[t.Type]})...).Set(1)
	}
	for _, status := range statuses {
		s.status = append(s.status, m.status.WithLabelValues(slices.Concat(s.labels, []string{status})...))
	}
	return s
}

func (m *checkMetrics) set(s *series, c *check) {
	for i, status := range statuses {
		s.status[i].Set(number(c.Status == status))
	}
	for i, v := range values {
		value, isKnown := v.of(c)
		switch {
		case !isKnown && s.values[i] != nil:
			m.values[i].DeleteLabelValues(s.labels...)
			s.values[i] = nil
		case isKnown && s.values[i] == nil:
			s.values[i] = m.values[i].WithLabelValues(s.labels...)
			fallthrough
		case isKnown:
			s.values[i].Set(value)
		}
	}
}

func (m *checkMetrics) remove(s *series) {
	if s == nil {
		return
	}
	m.info.DeleteLabelValues(slices.Concat(s.labels, s.info)...)
	for _, t := range s.tags {
		m.tagInfo.DeleteLabelValues(slices.Concat(s.labels, []string{t.Name, tagSources[t.Type]})...)
	}
	for _, status := range statuses {
		m.status.DeleteLabelValues(slices.Concat(s.labels, []string{status})...)
	}
	for _, vector := range m.values {
		vector.DeleteLabelValues(s.labels...)
	}
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
