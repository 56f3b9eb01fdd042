{{/*
The groups of files/rules.yaml with the parameters of `prometheusRule.parameters`, as YAML below `groups`. It renders as
`uptime-exporter rules` does.
*/}}
{{- define "uptime-exporter.rules" -}}
{{- $data := .Files.Get "files/rules.yaml" | required "in a clone, run `npm ci && npm run copies` first: the chart has no files/rules.yaml" | fromYaml }}
{{- $parameters := include "uptime-exporter.ruleParameters" . | fromYaml }}
{{- $links := $parameters.links | default dict }}
{{- $groups := list }}
{{- range $group := $data.groups }}
{{- if or (not $group.set) (has $group.set $parameters.with) }}
{{- $rules := list }}
{{- range $one := $group.rules }}
{{- $own := get $parameters.alerts ($one.alert | default "") | default dict }}
{{- if ne (toString (get $own "enabled")) "false" }}
{{- $rule := pick $one "record" "alert" "expr" "for" "keep_firing_for" }}
{{- if $one.alert }}
{{- with $own.for }}
{{- $wait := include "uptime-exporter.milliseconds" . }}
{{- if eq $wait "0" }}{{ fail (printf "prometheusRule.parameters.alerts.%s.for: found %q; allowed: a duration such as 30s, 10m or 1h30m" $one.alert .) }}{{ end }}
{{- $_ := set $rule "for" (include "uptime-exporter.duration" $wait) }}
{{- end }}
{{- with $own.severity | default $one.severity }}{{ $_ := set $rule "labels" (dict "severity" .) }}{{ end }}
{{- $page := get $data.pages $one.about }}
{{- $texts := pick $one "summary" "description" }}
{{- with $links.grafana }}{{ $_ := set $texts "dashboard_url" (printf "%s/d/%s" (regexReplaceAll "/+$" . "") $page.board) }}{{ end }}
{{- $exporter := regexReplaceAll "/+$" ($links.exporter | default "") "" }}
{{- if and (eq $one.about "exporters") (contains "$labels" $exporter) }}{{ $exporter = "" }}{{ end }}
{{- with $exporter }}{{ $_ := set $texts "page_url" (printf "%s/%s" . $page.view) }}{{ end }}
{{- $runbook := $links.runbook | default "" }}
{{- if and $exporter (not $runbook) }}{{ $runbook = printf "%s/runbook" $exporter }}{{ end }}
{{- with $runbook }}{{ $_ := set $texts "runbook_url" (printf "%s#%s" . (lower $one.alert)) }}{{ end }}
{{- $_ := set $rule "annotations" $texts }}
{{- end }}
{{- $rules = append $rules $rule }}
{{- end }}
{{- end }}
{{- if $rules }}{{ $groups = append $groups (set (pick $group "name" "interval") "rules" $rules) }}{{ end }}
{{- end }}
{{- end }}
{{- $text := toRawJson $groups }}
{{- range $place := regexFindAll "<[a-z_0-9][a-zA-Z_0-9. *]*>" $text -1 | uniq }}
{{- $value := include "uptime-exporter.placeholder" (dict "name" (trimAll "<>" $place) "parameters" $parameters) }}
{{- $text = replace $place ($value | toRawJson | trimPrefix "\"" | trimSuffix "\"") $text }}
{{- end }}
{{- toYaml (dict "groups" (fromJsonArray $text)) }}
{{- end }}

{{/* The text for a placeholder: { name, parameters }. */}}
{{- define "uptime-exporter.placeholder" -}}
{{- $parameters := .parameters }}
{{- $name := .name }}
{{- $labels := dict "account" "job, instance, account" "any account" "job, account" "item" "job, instance, account" "target" "job, instance" "job labels" "job" }}
{{- if hasKey $labels $name }}
{{- get $labels $name }}{{ range $parameters.identity }}, {{ . }}{{ end }}{{ if eq $name "item" }}, check_id{{ end }}
{{- else if eq $name "matchers" }}
{{- range $parameters.identity }},{{ . }}=%q{{ end }}
{{- else if eq $name "values" }}
{{- range $parameters.identity }}{{ printf " $labels.%s" . }}{{ end }}
{{- else if eq $name "job" }}
{{- $parameters.job | toRawJson | trimPrefix "\"" | trimSuffix "\"" }}
{{- else if eq $name "low_severity" }}
{{- $parameters.low_severity }}
{{- else if hasPrefix "seconds " $name }}
{{- divf (include "uptime-exporter.milliseconds" $name | float64) 1000 | include "uptime-exporter.number" }}
{{- else }}
{{- $number := 1.0 }}
{{- range splitList " * " $name }}
{{- $text := . }}
{{- if not (regexMatch "^[0-9]+$" .) }}
{{- $text = include "uptime-exporter.parameter" (dict "in" $parameters.thresholds "path" .) }}
{{- if eq $text "" }}{{ fail (printf "the rules have an unknown placeholder: <%s>" $name) }}{{ end }}
{{- end }}
{{- $number = mulf $number (float64 $text) }}
{{- end }}
{{- include "uptime-exporter.number" $number }}
{{- end }}
{{- end }}

{{/*
All parameters. The job and the time limit of a scrape are those of the monitor, unless they are given. Exporters with a database need the
rules for replicas, because others leave what they report to these.
*/}}
{{- define "uptime-exporter.ruleParameters" -}}
{{- $defaults := .Files.Get "files/parameters.yaml" | fromYaml }}
{{- $given := deepCopy (.Values.prometheusRule.parameters | default dict) }}
{{- $monitor := include "uptime-exporter.monitor" . | fromYaml }}
{{- $job := $given.job | default $monitor.jobName | default $defaults.job }}
{{- $thresholds := mergeOverwrite (deepCopy $defaults.thresholds) ($given.thresholds | default dict) }}
{{- if and $monitor.scrapeTimeout (hasKey (get $defaults.thresholds "scrape" | default dict) "timeout_seconds") }}
{{- if not (dig "thresholds" "scrape" "timeout_seconds" "" $given) }}
{{- $_ := set $thresholds.scrape "timeout_seconds" (divf (include "uptime-exporter.milliseconds" $monitor.scrapeTimeout | float64) 1000) }}
{{- end }}
{{- end }}
{{- $with := $given.with | default list }}
{{- if .Values.database.url }}{{ $with = append $with "replicas" | uniq }}{{ end }}
{{- $links := $defaults.links }}
{{- /* A monitor makes `instance` a name that is no address. */}}
{{- if $monitor }}{{ $links = dict "exporter" (include "uptime-exporter.url" .) }}{{ end }}
{{- with include "uptime-exporter.externalUrl" . }}{{ $links = dict "exporter" . }}{{ end }}
{{- if hasKey $given "links" }}{{ $links = $given.links }}{{ end }}
{{- toYaml (dict "with" $with "job" $job "identity" ($given.identity | default $defaults.identity) "links" $links "thresholds" $thresholds "low_severity" ($given.low_severity | default $defaults.low_severity) "alerts" ($given.alerts | default dict)) }}
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
