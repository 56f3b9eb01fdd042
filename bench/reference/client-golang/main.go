// Command client-golang is an exporter as an engineer writes it in a day with client_golang: it reads the check list
// once a minute, keeps a gauge for each value, and lets the library render them at each scrape. Counters and
// histograms come from a file. Usage: client-golang SERVICE-URL PAGE.gz; prints its port.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func main() {
	// Nothing that is measured outlives the bench.
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	registry := prometheus.NewRegistry()
	checks := newCheckMetrics(registry)
	if err := load(os.Args[2], registry, checks.owns); err != nil {
		log.Fatal(err)
	}
	if err := refresh(os.Args[1], checks); err != nil {
		log.Fatal(err)
	}
	// The memory for reading the file is no cost of an exporter.
	debug.FreeOSMemory()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for range time.Tick(time.Minute) {
			if err := refresh(os.Args[1], checks); err != nil {
				log.Print(err)
			}
		}
	}()
	http.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}

func refresh(service string, checks *checkMetrics) error {
	url := service + "/api/3.1/checks?limit=25000&offset=0&include_tags=true&include_severity=true"
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer token-of-the-bench")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the service responds %s", response.Status)
	}
	var list struct{ Checks []check }
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		return err
	}
	checks.update(list.Checks)
	return nil
}
