{{/*
The groups of files/rules.yaml with the parameters of `prometheusRule.parameters`, as YAML below `groups`.
src/rules/chart writes that file, and tests that nothing but what is done here depends on the parameters.
*/}}
{{- define "uptime-exporter.rules" -}}
{{- $data := .Files.Get "files/rules.yaml" | fromYaml }}
{{- $parameters := include "uptime-exporter.ruleParameters" . | fromYaml }}
{{- $groups := list }}
{{- range $group := $data.groups }}
{{- $rules := list }}
{{- range $one := $group.rules }}
{{- $fits := true }}
{{- range $path, $wanted := $one.when | default dict }}
{{- $given := include "uptime-exporter.parameter" (dict "in" $parameters "path" $path) }}
{{- $default := include "uptime-exporter.parameter" (dict "in" $data.defaults "path" $path) }}
{{- if has $given (list "true" $default) }}{{ $given = "" }}{{ end }}
{{- if ne $given $wanted }}{{ $fits = false }}{{ end }}
{{- end }}
{{- $rule := $one.rule }}
{{- $own := get $parameters.alerts ($rule.alert | default "") | default dict }}
{{- if and $fits (ne (toString (get $own "enabled")) "false") }}
{{- with $own.severity }}{{ $_ := set $rule "labels" (set ($rule.labels | default dict) "severity" .) }}{{ end }}
{{- with $own.for }}{{ $_ := set $rule "for" (include "uptime-exporter.duration" (include "uptime-exporter.milliseconds" .)) }}{{ end }}
{{- range $name, $text := $rule.annotations }}
{{- $path := regexFind "^@{(link|address) [a-z.]+}" $text | regexFind "links[.a-z]+" }}
{{- if and $path (eq (include "uptime-exporter.parameter" (dict "in" $parameters "path" $path)) "") }}
{{- $_ := unset $rule.annotations $name }}
{{- end }}
{{- end }}
{{- $rules = append $rules $rule }}
{{- end }}
{{- end }}
{{- if $rules }}
{{- $groups = append $groups (set $group "rules" $rules) }}
{{- end }}
{{- end }}
{{- $text := toJson $groups }}
{{- range $name, $marker := $data.markers }}
{{- $value := include "uptime-exporter.markerText" (dict "marker" $marker "parameters" $parameters) }}
{{- $text = replace $name ($value | toJson | trimPrefix "\"" | trimSuffix "\"") $text }}
{{- end }}
{{- toYaml (dict "groups" (fromJsonArray $text)) }}
{{- end }}

{{/* All parameters. The job and the time limit of a scrape are those of the monitor, unless they are given. */}}
{{- define "uptime-exporter.ruleParameters" -}}
{{- $defaults := (.Files.Get "files/rules.yaml" | fromYaml).defaults }}
{{- $given := deepCopy .Values.prometheusRule.parameters }}
{{- $monitor := include "uptime-exporter.monitor" . | fromYaml }}
{{- $job := $given.job | default $monitor.jobName | default $defaults.job }}
{{- $thresholds := mergeOverwrite (deepCopy $defaults.thresholds) ($given.thresholds | default dict) }}
{{- if and $monitor.scrapeTimeout (hasKey (get $defaults.thresholds "scrape" | default dict) "timeout_seconds") }}
{{- if not (dig "thresholds" "scrape" "timeout_seconds" "" $given) }}
{{- $_ := set $thresholds.scrape "timeout_seconds" (divf (include "uptime-exporter.milliseconds" $monitor.scrapeTimeout | float64) 1000) }}
{{- end }}
{{- end }}
{{- $links := $defaults.links }}
{{- if hasKey $given "links" }}{{ $links = $given.links }}{{ end }}
{{- toYaml (dict "job" $job "identity" ($given.identity | default $defaults.identity) "links" $links "thresholds" $thresholds "low_severity" ($given.low_severity | default $defaults.low_severity) "alerts" ($given.alerts | default dict)) }}
{{- end }}

{{/* The monitor that is enabled, as YAML; {} for none. */}}
{{- define "uptime-exporter.monitor" -}}
{{- if .Values.serviceMonitor.enabled }}{{ toYaml .Values.serviceMonitor }}
{{- else if .Values.podMonitor.enabled }}{{ toYaml .Values.podMonitor }}
{{- else }}{}{{ end }}
{{- end }}

{{/* The value at a path such as `alerts.UptimeCheckDown.enabled`, as text: { in, path }. Empty where it is not given. */}}
{{- define "uptime-exporter.parameter" -}}
{{- $value := .in }}
{{- range splitList "." .path }}
{{- if kindIs "map" $value }}{{ $value = get $value . }}{{ else }}{{ $value = "" }}{{ end }}
{{- end }}
{{- if not (kindIs "invalid" $value) }}{{ toString $value }}{{ end }}
{{- end }}

{{/* The text for a marker: { marker, parameters }. */}}
{{- define "uptime-exporter.markerText" -}}
{{- $as := .marker.as }}
{{- $parameters := .parameters }}
{{- if has $as (list "text" "link" "address") }}
{{- $text := include "uptime-exporter.parameter" (dict "in" $parameters "path" (first .marker.of)) }}
{{- if eq $as "link" }}{{ regexReplaceAll "/+$" $text "" }}{{ else }}{{ $text }}{{ end }}
{{- else if eq $as "labels" }}
{{- range $parameters.identity }}, {{ . }}{{ end }}
{{- else if eq $as "matchers" }}
{{- range $parameters.identity }},{{ . }}=%q{{ end }}
{{- else if eq $as "values" }}
{{- range $parameters.identity }}{{ printf " $labels.%s" . }}{{ end }}
{{- else if eq $as "duration" }}
{{- include "uptime-exporter.duration" (include "uptime-exporter.parameter" (dict "in" $parameters "path" (first .marker.of)) | include "uptime-exporter.milliseconds") }}
{{- else }}
{{- $number := 1.0 }}
{{- range .marker.of }}
{{- $text := include "uptime-exporter.parameter" (dict "in" $parameters "path" .) }}
{{- if regexMatch "[a-z]$" $text }}
{{- $number = divf (mulf $number (include "uptime-exporter.milliseconds" $text | float64)) 1000 }}
{{- else }}
{{- $number = mulf $number (float64 $text) }}
{{- end }}
{{- end }}
{{- with .marker.times }}{{ $number = mulf $number . }}{{ end }}
{{- if .marker.complement }}{{ $number = subf 1 $number }}{{ end }}
{{- include "uptime-exporter.number" $number }}
{{- end }}
{{- end }}

{{/* A number without an exponent and without zeros at its end. */}}
{{- define "uptime-exporter.number" -}}
{{- regexReplaceAll "\\.?0+$" (printf "%.9f" .) "" }}
{{- end }}

{{/* The milliseconds of a duration such as 1h30m. */}}
{{- define "uptime-exporter.milliseconds" -}}
{{- $size := dict "d" 86400000 "h" 3600000 "m" 60000 "s" 1000 "ms" 1 }}
{{- $sum := 0 }}
{{- range regexFindAll "[0-9]+(ms|[dhms])" . -1 }}
{{- $sum = add $sum (mul (regexFind "[0-9]+" . | int64) (get $size (regexFind "[a-z]+" .))) }}
{{- end }}
{{- $sum }}
{{- end }}

{{/* The duration of milliseconds that are given as text: 1h30m, not 90m. */}}
{{- define "uptime-exporter.duration" -}}
{{- $rest := int64 . }}
{{- range $unit := list (list "d" 86400000) (list "h" 3600000) (list "m" 60000) (list "s" 1000) (list "ms" 1) }}
{{- $count := div $rest (last $unit) }}
{{- $rest = mod $rest (last $unit) }}
{{- if $count }}{{ $count }}{{ first $unit }}{{ end }}
{{- end }}
{{- end }}
