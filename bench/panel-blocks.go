// Writes blocks of a Prometheus that has scraped a page regularly, without the hours that scraping takes.
//
//	panel-blocks PAGE DATA END STEP NAMED=SECONDS ...
//
// It is built with the Prometheus of tools/prometheus.
//
// PAGE is text of the exposition format, DATA the folder for the blocks, END their last sample in UNIX seconds, STEP the
// seconds between two scrapes. Families are named by a regular expression of their whole name, each followed by how long
// they were scraped; the first expression that matches counts.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/tsdb/index"
)

const (
	// As Prometheus cuts chunks, and as long as the largest blocks that it makes with a retention of 30 days.
	samplesPerChunk = 120
	blockSeconds    = 54 * 3600
)

type kept struct {
	name    *regexp.Regexp
	seconds int64
}

type series struct {
	labels labels.Labels
	value  float64
	kind   kind
	begin  int64
	hash   uint64
}

// kind is how a value moves from scrape to scrape: what does not move compresses better than it does in life.
type kind int

const (
	still  kind = iota
	noisy       // another value every two minutes
	grows       // a counter that is fed every two minutes
	follow      // a time that moves on every two minutes
)

func kindOf(name string, value float64, end int64) kind {
	switch {
	case strings.HasSuffix(name, "_total"), strings.HasSuffix(name, "_bucket"):
		if value > 0 {
			return grows
		}
	case strings.HasSuffix(name, "_timestamp_seconds"):
		if math.Abs(value-float64(end)) < 3600 {
			return follow
		}
	case value != math.Trunc(value):
		return noisy
	}
	return still
}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 6 {
		log.Fatal("usage: panel-blocks PAGE DATA END STEP NAMED=SECONDS ...")
	}
	page, data := os.Args[1], os.Args[2]
	end, step := number(os.Args[3]), number(os.Args[4])
	var families []kept
	for _, argument := range os.Args[5:] {
		at := strings.LastIndexByte(argument, '=')
		name := regexp.MustCompile("^(?:" + argument[:at] + ")$")
		families = append(families, kept{name, number(argument[at+1:])})
	}
	all := read(page, families, end)
	first := end
	for _, one := range all {
		first = min(first, one.begin)
	}
	var samples uint64
	for from := first - first%blockSeconds; from <= end; from += blockSeconds {
		samples += write(data, all, from, min(from+blockSeconds, end+1), end, step)
	}
	fmt.Printf("{\"series\":%d,\"samples\":%d}\n", len(all), samples)
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// read returns the series of the page in the order of their labels.
func read(page string, families []kept, end int64) []*series {
	text, err := os.ReadFile(page)
	if err != nil {
		log.Fatal(err)
	}
	parser := textparse.NewPromParser(text, labels.NewSymbolTable(), false)
	var all []*series
	for {
		entry, err := parser.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		if entry != textparse.EntrySeries {
			continue
		}
		_, _, value := parser.Series()
		var parsed labels.Labels
		parser.Labels(&parsed)
		name := parsed.Get("__name__")
		at := slices.IndexFunc(families, func(one kept) bool { return one.name.MatchString(name) })
		if at < 0 {
			continue
		}
		full := labels.NewBuilder(parsed).Set("job", "uptime").Set("instance", "bench:9158").Labels()
		hash := fnv.New64a()
		fmt.Fprint(hash, full)
		all = append(all, &series{
			labels: full, value: value, kind: kindOf(name, value, end),
			begin: end - families[at].seconds, hash: hash.Sum64(),
		})
	}
	slices.SortFunc(all, func(a, b *series) int { return labels.Compare(a.labels, b.labels) })
	return all
}

// at returns the value of a sample. UNIX seconds.
func (s *series) at(time, end int64) float64 {
	turn := uint64(time/120) + s.hash%120
	switch s.kind {
	case noisy:
		return s.value * (1 + float64((turn*2654435761)%1000)/1e5)
	case grows:
		return s.value + float64(uint64(time-s.begin)/120*120)
	case follow:
		return s.value - float64((end-time)/120*120)
	}
	return s.value
}

// write makes the block of a time, and returns its number of samples.
func write(data string, all []*series, from, to, end, step int64) uint64 {
	id := ulid.MustNew(uint64(to)*1000, ulid.DefaultEntropy())
	folder := filepath.Join(data, id.String())
	writer, err := chunks.NewWriter(filepath.Join(folder, "chunks"))
	check(err)
	indexed, err := index.NewWriter(context.Background(), filepath.Join(folder, "index"))
	check(err)
	symbols := map[string]struct{}{}
	for _, one := range all {
		one.labels.Range(func(label labels.Label) {
			symbols[label.Name] = struct{}{}
			symbols[label.Value] = struct{}{}
		})
	}
	sorted := make([]string, 0, len(symbols))
	for symbol := range symbols {
		sorted = append(sorted, symbol)
	}
	slices.Sort(sorted)
	for _, symbol := range sorted {
		check(indexed.AddSymbol(symbol))
	}
	var stats tsdb.BlockStats
	for ref, one := range all {
		metas := one.chunks(max(from, one.begin), to, end, step)
		if len(metas) == 0 {
			continue
		}
		check(writer.WriteChunks(metas...))
		check(indexed.AddSeries(storage.SeriesRef(ref), one.labels, metas...))
		stats.NumSeries++
		stats.NumChunks += uint64(len(metas))
		for _, meta := range metas {
			stats.NumSamples += uint64(meta.Chunk.NumSamples())
		}
	}
	check(writer.Close())
	check(indexed.Close())
	meta := tsdb.BlockMeta{
		ULID: id, MinTime: from * 1000, MaxTime: to * 1000, Version: 1, Stats: stats,
		Compaction: tsdb.BlockMetaCompaction{Level: 3, Sources: []ulid.ULID{id}},
	}
	text, err := json.Marshal(meta)
	check(err)
	file, err := os.Create(filepath.Join(folder, "meta.json"))
	check(err)
	buffered := bufio.NewWriter(file)
	_, err = buffered.Write(text)
	check(err)
	check(buffered.Flush())
	check(file.Close())
	return stats.NumSamples
}

// chunks has the samples of [from, to).
func (s *series) chunks(from, to, end, step int64) []chunks.Meta {
	var metas []chunks.Meta
	var appender chunkenc.Appender
	for time := (from + step - 1) / step * step; time < to; time += step {
		if len(metas) == 0 || metas[len(metas)-1].Chunk.NumSamples() == samplesPerChunk {
			chunk := chunkenc.NewXORChunk()
			created, err := chunk.Appender()
			check(err)
			appender = created
			metas = append(metas, chunks.Meta{Chunk: chunk, MinTime: time * 1000})
		}
		appender.Append(0, time*1000, s.at(time, end))
		metas[len(metas)-1].MaxTime = time * 1000
	}
	return metas
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
