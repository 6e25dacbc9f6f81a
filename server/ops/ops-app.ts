import swagger from '@fastify/swagger';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { closeIdleConnections, createHttpServer, emptyBody } from '#server/http/http-server.ts';
import { createRequestGuard } from '#server/http/request-guard.ts';
import { createSecurityHeaders, securityHeaders } from '#server/http/response/security-headers.ts';
import { createRequestId } from '#server/http/response-observer.ts';
import { SCHEMAS_DOCUMENT, zodSchemas } from '#server/http/route-schemas.ts';
import { createRouteTable } from '#server/http/route-table.ts';
import { problem, sendProblem } from '#server/problem-details.ts';
import type { BuildInfo } from '#server/process/build-info.ts';
import type { Services } from '#server/service-types.ts';
import { type CacheRoutesDeps, cacheRoutes } from './cache-routes.ts';
import { changeRoutes, createChangeLog, type RecentChanges } from './change-log.ts';
import { dashboardPage, dashboardRoutes } from './dashboard-routes.ts';
import { type InstancesRoutesDeps, instancesRoutes } from './instance-routes.ts';
import type { Metrics } from './metrics/record-metrics.ts';
import { registerOpsAuth, sessionRoutes } from './ops-auth.ts';
import { sendOpsError } from './ops-responses.ts';
import { type OutboxRoutesDeps, outboxRoutes } from './outbox-routes.ts';
import { type PolicyRoutesDeps, policyRoutes } from './policy-routes.ts';
import { createSampler } from './samples/sampler.ts';
import { samplesRoutes } from './samples/samples-routes.ts';
import { type SimulationRoutesDeps, simulationRoutes } from './ttl-simulator/simulation-routes.ts';

type RoutesDeps = CacheRoutesDeps &
  PolicyRoutesDeps &
  SimulationRoutesDeps &
  OutboxRoutesDeps &
  InstancesRoutesDeps;

/** The services that operators see and change. */
export interface OpsDeps
  extends Omit<RoutesDeps, 'changeLog' | 'origin' | 'about' | 'logger'>,
    Pick<Services, 'config' | 'logger' | 'readiness' | 'clock'> {
  metrics: Metrics;
  /** What tells this instance from the others. */
  instance: { name: string } & BuildInfo;
  /** Resolves once the other instances were told of the last change here. */
  published: () => Promise<void>;
  changes: RecentChanges;
  /** DATA_DIR, resolved: holds the samples of the metrics. */
  dataDir: string;
  /** Where the build of the dashboard is, if there is one. */
  dashboardDir: string;
}

/** Makes the operators' listener, a Fastify app of its own, so that no reader's request can reach its routes. It never listens. */
export async function buildOpsApp(deps: OpsDeps): Promise<FastifyInstance> {
  const { config, logger, cache, metrics, instance, readiness, dashboardDir } = deps;
  const loggerInstance: FastifyBaseLogger = logger;
  const nextId = createRequestId();
  // The listener serves plain HTTP, whatever the scheme of PUBLIC_ORIGIN: no header may upgrade it.
  const headers = createSecurityHeaders({
    publicOrigin: 'http://localhost',
    imageHost: null,
    development: false,
  });
  const guard = createRequestGuard({ headers: () => headers, nextId, onResponse: () => undefined });
  const app = Fastify({
    serverFactory: (routed) => createHttpServer(guard, guard.before(routed)),
    clientErrorHandler: guard.onClientError,
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextId,
    requestIdHeader: false,
    bodyLimit: 64 * 1024,
    return503OnClosing: false,
    schemaController: SCHEMAS_DOCUMENT,
    // No hook runs for requests that the router rejects.
    frameworkErrors: (error, request, reply) =>
      void sendOpsError(
        error,
        request,
        reply.headers({ ...headers, 'x-request-id': request.id, 'cache-control': 'no-store' }),
      ),
  });

  await app.register(closeIdleConnections);
  await app.register(emptyBody);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Operators’ listener', version: '1' },
      ...(config.ops.token !== null && {
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
        security: [{ token: [] }],
      }),
    },
    ...zodSchemas(),
  });

  app.setErrorHandler(sendOpsError);
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, problem(404, 'There is no such call.')));
  await app.register(securityHeaders, { headers: () => headers });
  const page = await dashboardPage(dashboardDir);
  const auth = registerOpsAuth(app, { ...config.ops, loginPage: page });
  // Browsers send text/plain across origins without a CORS preflight.
  app.removeContentTypeParser('text/plain');
  // Many clients name a media type also where they send nothing, which a retry and a reset need not.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parseJson(request, body.toString(), done);
  });

  const ownRoutes = createRouteTable();
  await app.register(ownRoutes.collector);
  await app.register(dashboardRoutes, { page, dir: dashboardDir });
  const changeLog = createChangeLog({ ...deps, tokenNameOf: auth.tokenName });
  const samples = createSampler({
    ...deps,
    registries: metrics.registries,
    dir: deps.dataDir,
    state: () => ({
      upstreamTimeoutMs: config.upstreamTimeoutMs,
      mode: cache.mode.current(),
      ...metrics.lastFailures(),
      lastChange: deps.changes.list()[0]?.id ?? null,
    }),
  });
  await samples.load();
  const services = { ...deps, auth, changeLog, samples, origin: config.publicOrigin };
  // Who asks another instance after the response is to find the change there.
  app.addHook('onSend', async ({ method }) => {
    if (method !== 'GET') await deps.published();
  });
  await app.register(samplesRoutes, services);
  await app.register(instancesRoutes, {
    ...deps,
    about: () => ({
      ...instance,
      state: readiness.state(),
      mode: cache.mode.current(),
      policies: cache.policies.changes(),
    }),
  });
  await app.register(cacheRoutes, services);
  await app.register(policyRoutes, services);
  await app.register(simulationRoutes, services);
  await app.register(outboxRoutes, services);
  await app.register(changeRoutes, services);
  await app.register(sessionRoutes, services);
  app.get('/metrics', { schema: { summary: 'Prometheus text' } }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.text()),
  );
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  await app.register(ownRoutes.otherMethods);
  return app;
}
