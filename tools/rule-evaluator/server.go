package main

import (
	"context"
	"errors"
	"io"
	"net/url"
	"time"

	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/notifier"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
)

type options struct {
	configuration string
	ruleFiles     []string
	folder        string
	resendDelay   time.Duration
	send          func(...*notifier.Alert)
}

// What is left of a Prometheus server without its scraper, its timers and its web interface.
type server struct {
	options
	context        context.Context
	database       *tsdb.DB
	engine         *promql.Engine
	scrape         *config.ScrapeConfig
	scrapeInterval time.Duration
	interval       time.Duration
	// Called before each query, of rules and of texts alike.
	beforeQuery func()
}

// A server keeps two hours in its head; this one keeps everything there, and writes no log.
func inMemory() *tsdb.Options {
	all := tsdb.DefaultOptions()
	all.MinBlockDuration = int64(10 * 24 * time.Hour / time.Millisecond)
	all.MaxBlockDuration = all.MinBlockDuration
	all.WALSegmentSize = -1
	return all
}

func openServer(of options) (*server, error) {
	loaded, err := loadConfiguration(of.configuration)
	if err != nil {
		return nil, err
	}
	if len(loaded.ScrapeConfigs) != 1 {
		return nil, errors.New("the configuration must have one scrape configuration")
	}
	database, err := openDatabase(of.folder)
	if err != nil {
		return nil, err
	}
	scrape := loaded.ScrapeConfigs[0]
	return &server{
		options: of, context: context.Background(), database: database, engine: newEngine(), scrape: scrape,
		scrapeInterval: time.Duration(scrape.ScrapeInterval), interval: time.Duration(loaded.GlobalConfig.EvaluationInterval),
	}, nil
}

func (s *server) close() error { return s.database.Close() }

type sender func(...*notifier.Alert)

func (s sender) Send(alerts ...*notifier.Alert) { s(alerts...) }

// The rules as a server has them that has just started.
func (s *server) load() ([]*rules.Group, error) {
	external := &url.URL{Scheme: "http", Host: "prometheus.example:9090"}
	query := rules.EngineQueryFunc(s.engine, s.database)
	of := &rules.ManagerOptions{
		ExternalURL: external,
		QueryFunc: func(ctx context.Context, text string, at time.Time) (promql.Vector, error) {
			if s.beforeQuery != nil {
				s.beforeQuery()
			}
			return query(ctx, text, at)
		},
		NotifyFunc: rules.SendAlerts(sender(s.send), external.String()),
		Context:    s.context, Appendable: s.database, Queryable: s.database,
		// The defaults of the command's flags.
		OutageTolerance: time.Hour, ForGracePeriod: 10 * time.Minute,
		ResendDelay: s.resendDelay,
	}
	return loadGroups(of, s.interval, external.String(), s.ruleFiles)
}

func (s *server) evaluate(group *rules.Group, at time.Time) { group.Eval(s.context, at) }

// Passes on each sample of a page, with a function that returns its labels after relabelling.
func (s *server) parse(page []byte, of map[string]string, put func(string, func() labels.Labels, float64) error) error {
	parser, err := newParser(page)
	if err != nil {
		return err
	}
	for {
		entry, err := parser.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if entry != textparse.EntrySeries {
			continue
		}
		text, _, number := parser.Series()
		read := func() labels.Labels { return relabel(labelsOf(parser), of, s.scrape.MetricRelabelConfigs) }
		if err := put(string(text), read, number); err != nil {
			return err
		}
	}
}

func isLate(err error) bool {
	return errors.Is(err, storage.ErrOutOfOrderSample) || errors.Is(err, storage.ErrDuplicateSampleForTimestamp) ||
		errors.Is(err, storage.ErrOutOfBounds)
}
