// Evaluates rule files as a Prometheus server does, at given times over pages with given times, so that
// hours pass in seconds and never depend on the speed of the machine. Prometheus' own packages parse and
// relabel the pages, store the samples, evaluate the rules and decide when an alert is sent. What this
// program has of its own is the order of time: a line of the input for each scrape, and each group of rules
// at its own phase of its interval.
//
// The input is JSON lines in the order of their times; the output has a JSON line for each alert that
// Prometheus would send to Alertmanager. All times are UNIX milliseconds.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/notifier"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/storage"
)

type event struct {
	At int64 `json:"at"`
	// The labels job and instance of the target that is scraped. Without a page the scrape failed.
	Scrape map[string]string `json:"scrape"`
	Page   *string           `json:"page"`
	// With Scrape: the page is stored in the middle of the next evaluation of this group, before its query of
	// this number, of a rule or of a text. The sample keeps its time, as if the scrape had taken that long.
	During *struct {
		Group string `json:"group"`
		Query int    `json:"query"`
	} `json:"during"`
	// The target that service discovery no longer lists, at the time of its last scrape.
	Remove map[string]string `json:"remove"`
	// Prometheus stops or starts. Its database remains.
	Prometheus string `json:"prometheus"`
}

type sentAlert struct {
	At          int64             `json:"at"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	StartsAt    int64             `json:"startsAt"`
	EndsAt      int64             `json:"endsAt"`
}

// A group of rules that is evaluated at its next time.
type scheduled struct {
	*rules.Group
	next        time.Time
	phase       time.Duration
	evaluations int
}

type series struct {
	ref    storage.SeriesRef
	labels labels.Labels
	scrape int
}

// A target with the series of its last scrape, by their text on the page.
type target struct {
	labels  map[string]string
	series  map[string]*series
	scrapes int
}

type evaluator struct {
	server  *server
	groups  []*scheduled
	targets map[string]*target
	// Stale markers of removed targets, which Prometheus writes later than their time.
	markers []marker
	// A page that is stored in the middle of an evaluation.
	within *event
	now    time.Time
	sent   *json.Encoder
}

type marker struct {
	target        *target
	time, written time.Time
}

func main() {
	configuration := flag.String("config", "", "configuration file of Prometheus, with one scrape configuration")
	resendDelay := flag.Duration("resend-delay", time.Minute, "as --rules.alert.resend-delay")
	flag.Parse()
	if err := run(*configuration, flag.Args(), *resendDelay, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(configuration string, ruleFiles []string, resendDelay time.Duration, in io.Reader, out io.Writer) error {
	folder, err := os.MkdirTemp("", "rule-evaluator")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	buffered := bufio.NewWriter(out)
	e := &evaluator{targets: map[string]*target{}, sent: json.NewEncoder(buffered)}
	e.server, err = openServer(options{
		configuration: configuration, ruleFiles: ruleFiles, folder: folder, resendDelay: resendDelay, send: e.send,
	})
	if err != nil {
		return err
	}
	defer e.server.close()
	lines := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	for {
		var next event
		if err := lines.Decode(&next); err == io.EOF {
			return buffered.Flush()
		} else if err != nil {
			return err
		}
		if err := e.take(next); err != nil {
			return fmt.Errorf("at %v: %w", time.UnixMilli(next.At).UTC(), err)
		}
	}
}

func (e *evaluator) take(next event) error {
	at := time.UnixMilli(next.At)
	if at.Before(e.now) {
		return fmt.Errorf("this event is older than the one before, of %v", e.now.UTC())
	}
	if err := e.advance(at); err != nil {
		return err
	}
	switch {
	case next.Prometheus == "start":
		return e.start()
	case next.Prometheus == "stop":
		// A server that stops writes no stale markers, and forgets which series it has seen.
		e.groups, e.targets, e.markers = nil, map[string]*target{}, nil
		return nil
	case next.Remove != nil:
		return e.remove(next.Remove)
	case next.Scrape != nil && next.During != nil:
		e.within = &next
		return nil
	case next.Scrape != nil:
		return e.scrape(next)
	}
	return nil
}

// Evaluates the groups that are due by then, in the order of their times.
func (e *evaluator) advance(until time.Time) error {
	for {
		var first *scheduled
		for _, group := range e.groups {
			if first == nil || group.next.Before(first.next) {
				first = group
			}
		}
		if first == nil || first.next.After(until) {
			break
		}
		e.now = first.next
		if err := e.writeMarkers(); err != nil {
			return err
		}
		if err := e.evaluate(first); err != nil {
			return err
		}
		first.next = first.next.Add(first.Interval())
	}
	e.now = until
	return e.writeMarkers()
}

// Like Group.run: the state of `for` is restored after the second evaluation of a started server.
func (e *evaluator) evaluate(group *scheduled) error {
	var failed error
	queries := 0
	e.server.beforeQuery = func() {
		within := e.within
		if within != nil && within.During.Group == group.Name() && queries == within.During.Query {
			e.within = nil
			failed = e.scrape(*within)
		}
		queries++
	}
	e.server.evaluate(group.Group, group.next)
	e.server.beforeQuery = nil
	if e.within != nil && e.within.During.Group == group.Name() {
		return fmt.Errorf("group %s has %d queries, and the page is to be stored before number %d", group.Name(), queries, e.within.During.Query)
	}
	group.evaluations++
	if group.evaluations == 2 {
		group.RestoreForState(group.next)
	}
	for _, rule := range group.Rules() {
		if err := rule.LastError(); err != nil {
			return fmt.Errorf("rule %s: %w", rule.Name(), err)
		}
	}
	return failed
}

func (e *evaluator) start() error {
	groups, err := e.server.load()
	if err != nil {
		return err
	}
	sort.Slice(groups, func(a, b int) bool {
		return rules.GroupKey(groups[a].File(), groups[a].Name()) < rules.GroupKey(groups[b].File(), groups[b].Name())
	})
	e.groups = nil
	for at, group := range groups {
		// Prometheus spreads groups by a hash of their names; here they are spread evenly.
		phase := group.Interval() * time.Duration(at) / time.Duration(len(groups))
		next := e.now.Truncate(group.Interval()).Add(phase)
		for !next.After(e.now) {
			next = next.Add(group.Interval())
		}
		e.groups = append(e.groups, &scheduled{Group: group, next: next})
	}
	return nil
}

func (e *evaluator) target(of map[string]string) *target {
	key := of["job"] + "\xff" + of["instance"]
	if e.targets[key] == nil {
		e.targets[key] = &target{labels: of, series: map[string]*series{}}
	}
	return e.targets[key]
}

// Stores a page at the time of its scrape, with `up`, and a stale marker for each series that has vanished.
func (e *evaluator) scrape(of event) error {
	t := e.target(of.Scrape)
	t.scrapes++
	appender := e.server.database.Appender(e.server.context)
	put := func(one *series, number float64) error {
		ref, err := appender.Append(one.ref, one.labels, of.At, number)
		one.ref = ref
		return err
	}
	up := 0.0
	if of.Page != nil {
		up = 1
		err := e.server.parse([]byte(*of.Page), t.labels, func(text string, read func() labels.Labels, number float64) error {
			one := t.series[text]
			if one == nil {
				one = &series{labels: read()}
				t.series[text] = one
			}
			one.scrape = t.scrapes
			return put(one, number)
		})
		if err != nil {
			return fmt.Errorf("the page of %v: %w", of.Scrape, err)
		}
	}
	for text, one := range t.series {
		if one.scrape == t.scrapes {
			continue
		}
		delete(t.series, text)
		// Another target, to which relabelling gives the same labels, may have a newer sample.
		if err := put(one, math.Float64frombits(value.StaleNaN)); err != nil && !isLate(err) {
			return err
		}
	}
	if err := put(&series{labels: upOf(t)}, up); err != nil {
		return err
	}
	return appender.Commit()
}

func upOf(t *target) labels.Labels {
	return labels.FromStrings("__name__", "up", "job", t.labels["job"], "instance", t.labels["instance"])
}

// Like scrapeLoop.endOfRunStaleness: the markers have the time of the scrape that does not happen, and are
// written a tenth of an interval after the one that would follow.
func (e *evaluator) remove(of map[string]string) error {
	t := e.target(of)
	delete(e.targets, of["job"]+"\xff"+of["instance"])
	interval := e.server.scrapeInterval
	e.markers = append(e.markers, marker{target: t, time: e.now.Add(interval), written: e.now.Add(2*interval + interval/10)})
	return nil
}

func (e *evaluator) writeMarkers() error {
	var later []marker
	for _, one := range e.markers {
		if one.written.After(e.now) {
			later = append(later, one)
			continue
		}
		appender := e.server.database.Appender(e.server.context)
		stale := math.Float64frombits(value.StaleNaN)
		all := []*series{{labels: upOf(one.target)}}
		for _, of := range one.target.series {
			all = append(all, of)
		}
		for _, of := range all {
			if _, err := appender.Append(of.ref, of.labels, one.time.UnixMilli(), stale); err != nil && !isLate(err) {
				return err
			}
		}
		if err := appender.Commit(); err != nil {
			return err
		}
	}
	e.markers = later
	return nil
}

func (e *evaluator) send(alerts ...*notifier.Alert) {
	for _, alert := range alerts {
		err := e.sent.Encode(sentAlert{
			At: e.now.UnixMilli(), Labels: alert.Labels.Map(), Annotations: alert.Annotations.Map(),
			StartsAt: alert.StartsAt.UnixMilli(), EndsAt: alert.EndsAt.UnixMilli(),
		})
		if err != nil {
			panic(err)
		}
	}
}
