// Reads URLs as a program does that stops at the end of the first gzip member.
// Usage: first-member URL ACCEPT ... ; prints a JSON list of texts.
package main

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

func read(url, accept string) (string, error) {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("Accept", accept)
	// With this header, the transport leaves the body compressed.
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	reader, err := gzip.NewReader(response.Body)
	if err != nil {
		return "", err
	}
	reader.Multistream(false)
	text, err := io.ReadAll(reader)
	return string(text), err
}

func main() {
	texts := []string{}
	for i := 1; i < len(os.Args); i += 2 {
		text, err := read(os.Args[i], os.Args[i+1])
		if err != nil {
			log.Fatalf("%s: %v", os.Args[i], err)
		}
		texts = append(texts, text)
	}
	if err := json.NewEncoder(os.Stdout).Encode(texts); err != nil {
		log.Fatal(err)
	}
}
