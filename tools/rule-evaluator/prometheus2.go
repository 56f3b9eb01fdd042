//go:build prometheus2

package main

import (
	"fmt"
	"time"

	"github.com/go-kit/log"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/model/labels"
	relabelling "github.com/prometheus/prometheus/model/relabel"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/tsdb"
)

func loadConfiguration(file string) (*config.Config, error) {
	return config.LoadFile(file, false, false, log.NewNopLogger())
}

func openDatabase(folder string) (*tsdb.DB, error) {
	return tsdb.Open(folder, log.NewNopLogger(), nil, inMemory(), nil)
}

func newEngine() *promql.Engine {
	return promql.NewEngine(promql.EngineOpts{
		MaxSamples: 50_000_000, Timeout: 10 * time.Minute, LookbackDelta: 5 * time.Minute,
		EnableAtModifier: true, EnableNegativeOffset: true,
	})
}

func loadGroups(of *rules.ManagerOptions, interval time.Duration, external string, files []string) ([]*rules.Group, error) {
	of.Logger = log.NewNopLogger()
	loaded, errs := rules.NewManager(of).LoadGroups(interval, labels.EmptyLabels(), external, nil, files...)
	if errs != nil {
		return nil, fmt.Errorf("rules: %v", errs)
	}
	var all []*rules.Group
	for _, group := range loaded {
		all = append(all, group)
	}
	return all, nil
}

func newParser(page []byte) (textparse.Parser, error) { return textparse.New(page, "text/plain") }

func labelsOf(parser textparse.Parser) labels.Labels {
	var all labels.Labels
	parser.Metric(&all)
	return all
}

func relabel(of labels.Labels, target map[string]string, configs []*relabelling.Config) labels.Labels {
	builder := labels.NewBuilder(of)
	for name, value := range target {
		builder.Set(name, value)
	}
	changed, _ := relabelling.Process(builder.Labels(nil), configs...)
	return changed
}
