# By its tag: a digest is known only where a registry can be asked. Where you build, pin it:
# docker build --build-arg BASE="$(docker buildx imagetools inspect node:24-slim --format 'node:24-slim@{{.Manifest.Digest}}')" .
ARG BASE=node:24-slim
FROM $BASE AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# The build bundles the server with its packages but for sharp, which is native code.
RUN npm run build && sh deploy/image/keep-package.sh sharp

FROM $BASE
# jemalloc returns what was freed; glibc keeps a quarter of the memory more (docs/decisions/0049). By its name, because its
# folder is that of the architecture.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends libjemalloc2 && rm -rf /var/lib/apt/lists/*
ENV LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF=narenas:1,dirty_decay_ms:200,muzzy_decay_ms:0
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
RUN mkdir -p /data /assets dist/compile-cache && chown node:node /data /assets dist/compile-cache
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/deploy/image/health-check.sh ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/server/start.js ./server/
COPY --from=build /app/tools/source-digest.js ./tools/
COPY --from=build /app/demo/content ./demo/content
COPY --from=build /app/demo/pictures ./demo/pictures
USER node
# The compile cache (server/start.js): code is compiled here and not at each start of a container, where it is read only.
# Node keeps it apart by its version, its user and its flags: they are those of CMD.
RUN DATA_DIR=/tmp/once node --max-semi-space-size=16 --initial-old-space-size=64 server/start.js --once && rm -r /tmp/once
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["bash", "/app/health-check.sh"]
# Last, because they change with each build: all layers above are then cached.
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="martech-meridian" \
  org.opencontainers.image.description="A publication site: server-rendered React over a cached upstream API" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.base.name="docker.io/library/node:24-slim" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
# For the metric build_info.
ENV REVISION=$REVISION
# Node itself, not npm: signals reach the server.
CMD ["node", "--max-semi-space-size=16", "--initial-old-space-size=64", "server/start.js"]
