# syntax=docker/dockerfile:1
# `docker buildx build --platform=linux/amd64,linux/arm64` builds both: the bundle is the same for all of them.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY sandbox/package.json ./sandbox/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build.mjs ./scripts/
COPY docs/runbook.md ./docs/
COPY sandbox/src ./sandbox/src
COPY src ./src
RUN npm run build

# Of Zod, which is bundled, only what scanners of the image and its licence need.
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --workspaces=false --omit=dev --ignore-scripts --no-audit --no-fund \
    && find node_modules/zod -mindepth 1 -maxdepth 1 ! -name package.json ! -name LICENSE -exec rm -r {} +

FROM node:24.21.0-bookworm-slim
ARG REVISION
ARG BRANCH
LABEL org.opencontainers.image.title="uptime-exporter" \
      org.opencontainers.image.description="Prometheus exporter for Pingdom accounts (API 3.1, 2.1, 2.0) that lives within their API rate budget" \
      org.opencontainers.image.url="https://example.com/uptime-exporter" \
      org.opencontainers.image.source="https://example.com/uptime-exporter" \
      org.opencontainers.image.documentation="https://example.com/uptime-exporter#readme" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim"
# Arguments of `docker run` replace `serve` alone: where counters are kept, and how large the heap may grow, stand here.
# The young generation is that of Node.js 20: a larger one, as newer versions have, takes more memory for little gain.
# The allocator of glibc gives back at once what large buffers took; without these it keeps a fifth more.
ENV NODE_ENV=production \
    NODE_OPTIONS="--max-old-space-size=320 --max-semi-space-size=16" \
    MALLOC_ARENA_MAX=1 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    UPTIME_STORAGE_PATH=/data \
    UPTIME_EXPORTER_REVISION="${REVISION}" \
    UPTIME_EXPORTER_BRANCH="${BRANCH}"
WORKDIR /app
COPY --from=dependencies /app/package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN install -d -o 1000 -g 1000 -m 0750 /data
VOLUME /data
# By number, so that Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 9158
# No HEALTHCHECK: it would start a Node.js process each time. Orchestrators ask /-/healthy and /-/ready.
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
