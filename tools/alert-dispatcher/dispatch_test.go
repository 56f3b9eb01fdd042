// Runs Alertmanager's own dispatcher, with its grouping, inhibition, log of notifications and handling of
// resolutions, over alerts with given times, and writes the messages that its receivers get. It is a test
// binary because testing/synctest, in whose bubble hours pass in seconds and every timer fires at its exact
// time, exists only in tests.
//
// The input is JSON lines in the order of their times: the alerts that rule-evaluator writes. The output has
// a JSON line for each message. All times are UNIX milliseconds.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/alertmanager/config"
	"github.com/prometheus/alertmanager/dispatch"
	"github.com/prometheus/alertmanager/featurecontrol"
	"github.com/prometheus/alertmanager/inhibit"
	"github.com/prometheus/alertmanager/nflog"
	"github.com/prometheus/alertmanager/notify"
	"github.com/prometheus/alertmanager/provider/mem"
	"github.com/prometheus/alertmanager/silence"
	"github.com/prometheus/alertmanager/timeinterval"
	"github.com/prometheus/alertmanager/types"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"
)

var configuration = flag.String("config", "", "configuration file of Alertmanager")

type event struct {
	At          int64          `json:"at"`
	Labels      model.LabelSet `json:"labels"`
	Annotations model.LabelSet `json:"annotations"`
	StartsAt    int64          `json:"startsAt"`
	EndsAt      int64          `json:"endsAt"`
	// Alertmanager stops or starts. Its log of notifications remains; it forgets its alerts.
	Alertmanager string `json:"alertmanager"`
}

type message struct {
	At          int64          `json:"at"`
	Receiver    string         `json:"receiver"`
	GroupLabels model.LabelSet `json:"groupLabels"`
	Alerts      []toldAlert    `json:"alerts"`
}

type toldAlert struct {
	Status      string         `json:"status"`
	Labels      model.LabelSet `json:"labels"`
	Annotations model.LabelSet `json:"annotations"`
	StartsAt    int64          `json:"startsAt"`
	EndsAt      int64          `json:"endsAt"`
}

// The retention of the command's flags.
const retention = 120 * time.Hour

// A test binary writes its verdict to its output, which belongs to the messages here.
func TestMain(m *testing.M) {
	flag.Parse()
	output = os.Stdout
	os.Stdout = os.Stderr
	os.Exit(m.Run())
}

var output io.Writer

func TestDispatch(t *testing.T) {
	conf, err := config.LoadFile(*configuration)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		buffered := bufio.NewWriter(output)
		if err := dispatchAll(conf, os.Stdin, json.NewEncoder(buffered)); err != nil {
			t.Fatal(err)
		}
		if err := buffered.Flush(); err != nil {
			t.Fatal(err)
		}
	})
}

func dispatchAll(conf *config.Config, in io.Reader, out *json.Encoder) error {
	logger := slog.New(slog.DiscardHandler)
	sent, err := nflog.New(nflog.Options{Retention: retention, Logger: logger, Metrics: prometheus.NewRegistry()})
	if err != nil {
		return err
	}
	receivers := map[string][]notify.Integration{}
	for _, of := range conf.Receivers {
		r, err := newReceiver(of, out)
		if err != nil {
			return err
		}
		receivers[of.Name] = []notify.Integration{notify.NewIntegration(r, r, "webhook", 0, of.Name)}
	}
	var running *alertmanager
	lines := json.NewDecoder(bufio.NewReader(in))
	for {
		var next event
		if err := lines.Decode(&next); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		// The timers that are due by then fire first.
		time.Sleep(time.Until(time.UnixMilli(next.At)))
		synctest.Wait()
		switch {
		case next.Alertmanager == "start":
			if running, err = start(conf, receivers, sent, logger); err != nil {
				return err
			}
		case next.Alertmanager == "stop":
			running.stop()
			running = nil
		case next.Labels != nil && running != nil:
			if err := running.alerts.Put(running.ctx, alertOf(next)); err != nil {
				return err
			}
		}
		synctest.Wait()
	}
	if running != nil {
		running.stop()
	}
	return nil
}

// Like the API: an empty label is no label.
func alertOf(e event) *types.Alert {
	set := model.LabelSet{}
	for name, value := range e.Labels {
		if value != "" {
			set[name] = value
		}
	}
	return &types.Alert{
		Alert: model.Alert{
			Labels: set, Annotations: e.Annotations,
			StartsAt: time.UnixMilli(e.StartsAt), EndsAt: time.UnixMilli(e.EndsAt),
		},
		UpdatedAt: time.Now(),
	}
}

type alertmanager struct {
	alerts     *mem.Alerts
	dispatcher *dispatch.Dispatcher
	inhibitor  *inhibit.Inhibitor
	ctx        context.Context
	cancel     context.CancelFunc
}

// As the command starts them, with the defaults of its flags.
func start(conf *config.Config, receivers map[string][]notify.Integration, sent *nflog.Log, logger *slog.Logger) (*alertmanager, error) {
	metrics := prometheus.NewRegistry()
	marker := types.NewMarker(metrics)
	ctx, cancel := context.WithCancel(context.Background())
	alerts, err := mem.NewAlerts(ctx, marker, 30*time.Minute, 0, nil, logger, metrics, featurecontrol.NoopFlags{})
	if err != nil {
		cancel()
		return nil, err
	}
	silences, err := silence.New(silence.Options{Retention: retention, Logger: logger, Metrics: metrics})
	if err != nil {
		cancel()
		return nil, err
	}
	inhibitor := inhibit.NewInhibitor(alerts, conf.InhibitRules, marker, logger)
	intervals := map[string][]timeinterval.TimeInterval{}
	for _, of := range conf.TimeIntervals {
		intervals[of.Name] = of.TimeIntervals
	}
	alone := func() time.Duration { return 0 }
	stage := notify.NewPipelineBuilder(metrics, featurecontrol.NoopFlags{}).New(
		receivers, alone, inhibitor, silence.NewSilencer(silences, marker, logger),
		timeinterval.NewIntervener(intervals), marker, sent, nil)
	timeout := func(of time.Duration) time.Duration { return max(of, notify.MinTimeout) }
	dispatcher := dispatch.NewDispatcher(alerts, dispatch.NewRoute(conf.Route, nil), stage, marker, timeout,
		30*time.Second, nil, logger, dispatch.NewDispatcherMetrics(false, metrics))
	go inhibitor.Run()
	inhibitor.WaitForLoading()
	go dispatcher.Run(time.Now())
	dispatcher.WaitForLoading()
	return &alertmanager{alerts, dispatcher, inhibitor, ctx, cancel}, nil
}

func (a *alertmanager) stop() {
	a.dispatcher.Stop()
	a.inhibitor.Stop()
	a.alerts.Close()
	a.cancel()
	synctest.Wait()
}

// Groups may send at the same time.
var writing sync.Mutex

// Writes down what a webhook would get.
type receiver struct {
	name         string
	sendResolved bool
	out          *json.Encoder
}

func newReceiver(of config.Receiver, out *json.Encoder) (*receiver, error) {
	if len(of.WebhookConfigs) != 1 {
		return nil, fmt.Errorf("receiver %s must have one webhook", of.Name)
	}
	return &receiver{of.Name, of.WebhookConfigs[0].SendResolved(), out}, nil
}

func (r *receiver) SendResolved() bool { return r.sendResolved }

func (r *receiver) Notify(ctx context.Context, alerts ...*types.Alert) (bool, error) {
	labels, _ := notify.GroupLabels(ctx)
	told := message{At: time.Now().UnixMilli(), Receiver: r.name, GroupLabels: labels}
	for _, alert := range alerts {
		told.Alerts = append(told.Alerts, toldAlert{
			string(alert.Status()), alert.Labels, alert.Annotations, alert.StartsAt.UnixMilli(), alert.EndsAt.UnixMilli(),
		})
	}
	writing.Lock()
	defer writing.Unlock()
	return false, r.out.Encode(told)
}
