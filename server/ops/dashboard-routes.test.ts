import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dashboardPage, dashboardRoutes } from './dashboard-routes.ts';
import { sendOpsError } from './ops-responses.ts';

let dir: string;
let app: FastifyInstance;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dashboard-'));
  app = Fastify();
  app.setErrorHandler(sendOpsError);
});
afterEach(async () => {
  await app.close();
  await rm(dir, { recursive: true, force: true });
});

it('serves the document and the files of the build', async () => {
  await mkdir(join(dir, 'assets'));
  await writeFile(join(dir, 'index.html'), '<!doctype html>');
  await writeFile(join(dir, 'assets/index-1.js'), 'null;');
  await dashboardRoutes(app, { page: await dashboardPage(dir), dir });
  expect((await app.inject('/')).body).toBe('<!doctype html>');
  expect((await app.inject('/assets/index-1.js')).body).toBe('null;');
});

it('responds with 404 and how to build it where it is not built', async () => {
  await dashboardRoutes(app, { page: await dashboardPage(dir), dir });
  const response = await app.inject('/');
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ detail: 'The dashboard is not built: npm run build' });
});
