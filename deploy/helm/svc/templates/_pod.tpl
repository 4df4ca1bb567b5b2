{{/* What pods of all roles have in common. Called with (dict "root" $ "role" "web"). */}}
{{- define "svc.labels" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "svc.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "svc.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "svc.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "svc.environment" -}}
envFrom:
  - configMapRef: { name: {{ .root.Release.Name }}-settings }
  - secretRef: { name: {{ .root.Values.existingSecret }} }
env:
  - { name: ROLE, value: {{ .role }} }
  - { name: PORT, value: '3000' }
  - { name: DATA_DIR, value: /data }
  - { name: MIGRATE, value: 'off' }
  - { name: METRICS_PORT, value: '0.0.0.0:9100' }
{{- end }}

{{/* A pod: everything but the volume /data. */}}
{{- define "svc.pod" -}}
{{- $values := index .root.Values .role -}}
terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
automountServiceAccountToken: false
securityContext:
  {{- include "svc.podSecurity" . | nindent 2 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
# On different machines where there are several.
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "svc.labels" . | nindent 8 }}
containers:
  - name: svc
    image: {{ include "svc.image" .root }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    securityContext:
      {{- include "svc.containerSecurity" . | nindent 6 }}
    {{- include "svc.environment" . | nindent 4 }}
    ports:
      - { name: http, containerPort: 3000 }
      - { name: metrics, containerPort: 9100 }
    # The store may be away for long: that is no reason to restart a process, and redirect processes stay ready without it.
    startupProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 1
      timeoutSeconds: 2
      failureThreshold: 2
    resources:
      {{- toYaml $values.resources | nindent 6 }}
    volumeMounts:
      - { name: data, mountPath: /data }
      - { name: tmp, mountPath: /tmp }
{{- end }}
