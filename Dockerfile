# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
RUN mkdir -p /data dist/compile-cache && chown node:node /data dist/compile-cache
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/server ./server
COPY --from=build /app/shared ./shared
COPY --from=build /app/demo ./demo
USER node
# The compile cache (server/start.js): code is compiled here and not at each start of a container, where it is read only.
# Node keeps it apart by its version, its user and its flags: they are those of CMD.
RUN DATA_DIR=/tmp/once node --max-semi-space-size=16 server/start.js --once && rm -r /tmp/once
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm: signals reach the server.
CMD ["node", "--max-semi-space-size=16", "server/start.js"]
