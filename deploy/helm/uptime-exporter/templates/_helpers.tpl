{{- define "uptime-exporter.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "uptime-exporter.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else if contains (include "uptime-exporter.name" .) .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "uptime-exporter.name" .) | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "uptime-exporter.selectorLabels" -}}
app.kubernetes.io/name: {{ include "uptime-exporter.name" . }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "uptime-exporter.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "uptime-exporter.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "uptime-exporter.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "uptime-exporter.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "uptime-exporter.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "uptime-exporter.ownConfig" -}}
{{- if not (or .Values.existingConfigMap .Values.existingConfigSecret) }}true{{ end }}
{{- end }}

{{/* The Secret of an account: { root, account }. */}}
{{- define "uptime-exporter.accountSecret" -}}
{{- if .account.existingSecret }}{{ .account.existingSecret }}{{ else }}{{ include "uptime-exporter.fullname" .root }}{{ end }}
{{- end }}

{{/* The configuration file. Secrets are mounted below `secrets`, which the file's folder has. */}}
{{- define "uptime-exporter.config" -}}
{{- $accounts := list }}
{{- range .Values.accounts }}
{{- $account := dict "name" .name "base_url" .baseUrl }}
{{- $legacy := has (toString .version) (list "2.1" "2.0") }}
{{- with .version }}{{ $_ := set $account "version" (toString .) }}{{ end }}
{{- with .email }}{{ $_ := set $account "email" . }}{{ end }}
{{- if $legacy }}
{{- $_ := set $account "password_file" (printf "secrets/%s/password" .name) }}
{{- $_ := set $account "app_key_file" (printf "secrets/%s/app_key" .name) }}
{{- else }}
{{- $_ := set $account "token_file" (printf "secrets/%s/token" .name) }}
{{- end }}
{{- $accounts = append $accounts (merge $account (.settings | default dict)) }}
{{- end }}
{{- toYaml (merge (dict "accounts" $accounts) (.Values.config | default dict)) }}
{{- end }}

{{/* With a slash at its beginning and none at its end; empty for none. As the exporter, by default the path of the external URL. */}}
{{- define "uptime-exporter.routePrefix" -}}
{{- with trimAll "/" (.Values.web.routePrefix | default (urlParse (include "uptime-exporter.externalUrl" .)).path) }}/{{ . }}{{ end }}
{{- end }}

{{/* The root of the exporter's pages, as the cluster reaches it. */}}
{{- define "uptime-exporter.url" -}}
{{ ternary "https" "http" .Values.web.tls }}://{{ include "uptime-exporter.fullname" . }}.{{ .Release.Namespace }}:{{ .Values.service.port }}{{ include "uptime-exporter.routePrefix" . }}
{{- end }}

{{/* The same as people reach it; empty where that is not given. */}}
{{- define "uptime-exporter.externalUrl" -}}
{{- dig "web" "external_url" "" (.Values.config | default dict) | trimSuffix "/" }}
{{- end }}

{{/* A probe: { root, probe, path }. Whoever has no certificate can only see that the port answers. */}}
{{- define "uptime-exporter.probe" -}}
{{- if .root.Values.web.clientCertificates }}
tcpSocket:
  port: metrics
{{- else }}
httpGet:
  path: {{ include "uptime-exporter.routePrefix" .root }}{{ .path }}
  port: metrics
  {{- if .root.Values.web.tls }}
  scheme: HTTPS
  {{- end }}
{{- end }}
{{ toYaml .probe }}
{{- end }}

{{/* What is scraped, for both monitors: { root, monitor }. */}}
{{- define "uptime-exporter.endpoint" -}}
port: metrics
{{- with include "uptime-exporter.routePrefix" .root }}
path: {{ . }}/metrics
{{- end }}
{{- with .monitor.interval }}
interval: {{ . }}
{{- end }}
{{- with .monitor.scrapeTimeout }}
scrapeTimeout: {{ . }}
{{- end }}
{{- if .root.Values.web.tls }}
scheme: https
{{- end }}
{{- with .monitor.tlsConfig }}
tlsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .monitor.basicAuth }}
basicAuth:
  {{- toYaml . | nindent 2 }}
{{- end }}
relabelings:
  - targetLabel: job
    replacement: {{ .monitor.jobName | quote }}
  # They change with each pod, and with them every series.
  - regex: pod|container|endpoint|node
    action: labeldrop
  {{- with .monitor.relabelings }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
metricRelabelings:
  {{- if .root.Values.database.url }}
  # Every family except uptime_exporter_* continues when another pod takes its account.
  - sourceLabels: [__name__]
    regex: uptime_([^e]|e[^x]).*
  {{- else }}
  # A series of an account keeps its name when the pod is replaced; `up` says which pod it is about.
  - sourceLabels: [account]
    regex: .+
  {{- end }}
    targetLabel: instance
    replacement: {{ .monitor.instance | default (include "uptime-exporter.fullname" .root) | quote }}
  {{- with .monitor.metricRelabelings }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Values that JSON Schema cannot refuse. */}}
{{- define "uptime-exporter.validate" -}}
{{- if and (gt (int .Values.replicaCount) 1) (not .Values.database.url) }}
{{- fail "replicaCount above 1 needs database.url: exporters with separate stores would spend the request budget twice and count separately" }}
{{- end }}
{{- if and .Values.database.url (contains ":" (urlParse .Values.database.url).userinfo) }}
{{- fail "database.url must have no password: name a Secret in database.existingSecret" }}
{{- end }}
{{- if and .Values.existingConfigMap .Values.existingConfigSecret }}
{{- fail "set existingConfigMap or existingConfigSecret, not both" }}
{{- end }}
{{- if and (include "uptime-exporter.ownConfig" .) (not .Values.accounts) }}
{{- fail "accounts is empty: name at least one, or an existingConfigMap or existingConfigSecret with the configuration" }}
{{- end }}
{{- if and (not (include "uptime-exporter.ownConfig" .)) .Values.accounts }}
{{- fail "accounts come from existingConfigMap or existingConfigSecret, so leave `accounts` empty" }}
{{- end }}
{{- if and .Values.serviceMonitor.enabled .Values.podMonitor.enabled }}
{{- fail "enable serviceMonitor or podMonitor, not both: every series would be scraped twice" }}
{{- end }}
{{- with .Values.report }}
{{- if .schedule }}
{{- if or (not .from) (not .to) (not .sender.image) (not .sender.command) }}
{{- fail "report.schedule needs report.from, report.to, report.sender.image and report.sender.command" }}
{{- end }}
{{- if gt (int $.Values.replicaCount) 1 }}
{{- fail "report.schedule needs one replica: each of several reports only the accounts that it owns" }}
{{- end }}
{{- if and $.Values.web.authentication (not .exporterAuthSecret) }}
{{- fail "report.schedule needs report.exporterAuthSecret, because web.authentication asks for a user" }}
{{- end }}
{{- if $.Values.web.clientCertificates }}
{{- fail "report.schedule has no client certificate, which web.clientCertificates asks for" }}
{{- end }}
{{- end }}
{{- end }}
{{- $monitor := include "uptime-exporter.monitor" . | fromYaml }}
{{- if and .Values.web.authentication $monitor (not $monitor.basicAuth) }}
{{- fail "the monitor needs basicAuth, because web.authentication asks for a user" }}
{{- end }}
{{- if and .Values.prometheusRule.enabled $monitor }}
{{- $parameters := .Values.prometheusRule.parameters | default dict }}
{{- if and $parameters.job (ne $parameters.job $monitor.jobName) }}
{{- fail (printf "the monitor's jobName is %q, and prometheusRule.parameters.job is %q: the alerts would never fire; leave prometheusRule.parameters.job out" $monitor.jobName $parameters.job) }}
{{- end }}
{{- range concat ($monitor.relabelings | default list) ($monitor.metricRelabelings | default list) }}
{{- if eq (toString .targetLabel) "job" }}
{{- fail "the alerts would never fire if relabelings changed the label job; set the monitor's jobName instead" }}
{{- end }}
{{- end }}
{{- $timeout := dig "thresholds" "scrape" "timeout_seconds" 0 $parameters | float64 }}
{{- if and $timeout $monitor.scrapeTimeout (ne (mulf 1000 $timeout) (include "uptime-exporter.milliseconds" $monitor.scrapeTimeout | float64)) }}
{{- fail (printf "the monitor's scrapeTimeout is %s, and prometheusRule.parameters.thresholds.scrape.timeout_seconds is %v: leave the latter out" $monitor.scrapeTimeout $timeout) }}
{{- end }}
{{- end }}
{{- $names := list }}
{{- range .Values.accounts }}
{{- $account := . }}
{{- if has .name $names }}{{ fail (printf "two accounts are named %q" .name) }}{{ end }}
{{- $names = append $names .name }}
{{- $url := urlParse .baseUrl }}
{{- if regexMatch "(?i)/api(/v?[0-9][^/]*(/.*)?)?/*$" $url.path }}
{{- fail (printf "accounts: the baseUrl of %q must end before /api, which the exporter adds with the version" .name) }}
{{- end }}
{{- if or $url.query $url.fragment $url.userinfo }}
{{- fail (printf "accounts: the baseUrl of %q must have neither user, query nor fragment" .name) }}
{{- end }}
{{- $isLoopback := regexMatch "^(localhost|\\[::1\\]|127[.][0-9.]+)(:[0-9]+)?$" $url.host }}
{{- if and (eq $url.scheme "http") (not (or $isLoopback (dig "insecure_http" false (.settings | default dict)))) }}
{{- fail (printf "accounts: the baseUrl of %q must begin with https://; for http://, set insecure_http: true in its settings" .name) }}
{{- end }}
{{- range $key := list "token" "password" "appKey" }}
{{- if and $account.existingSecret (get $account $key) }}
{{- fail (printf "accounts: %q has %s and existingSecret; set only one of them" $account.name $key) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The port of the database. */}}
{{- define "uptime-exporter.databasePort" -}}
{{- regexFind ":[0-9]+$" (urlParse .Values.database.url).host | trimPrefix ":" | default "5432" }}
{{- end }}

{{/* Whether files of the database are mounted. */}}
{{- define "uptime-exporter.databaseFiles" -}}
{{- if or .Values.database.existingSecret .Values.database.caSecret }}true{{ end }}
{{- end }}
