import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { faultSwitches } from './faults/faults.ts';
import { type Content, loadContent } from './load-content.ts';
import { createPictureFolder, type GetPicture } from './picture-folder.ts';
import { createPostRepository } from './post-repository.ts';
import { publishPosts } from './publish-content.ts';
import { listRoutes } from './routes/list-routes.ts';
import { mediaRoutes } from './routes/media-routes.ts';
import { postRoutes } from './routes/post-routes.ts';
import { sendProblem } from './routes/problem.ts';
import { submissionRoutes } from './routes/submission-routes.ts';
import { createSearch } from './search.ts';
import { openStore } from './submission-and-view-store.ts';

export interface DemoCmsOptions {
  /** Folder of the stored submissions and views; null keeps them in memory. */
  dataDir: string | null;
  /** Epoch milliseconds, from which the dates of the content count. */
  clock?: (() => number) | undefined;
  /** Whether faults can be injected. */
  faults?: boolean | undefined;
  /** Default: the content that comes with the demo CMS. */
  content?: Content | undefined;
  /** Default: the pictures that come with the demo CMS. */
  pictures?: GetPicture | undefined;
}

// From a range for documentation (RFC 5737).
const PUBLIC_IP = '203.0.113.7';

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;
type BuildValidator = NonNullable<NonNullable<SchemaController['compilersFactory']>['buildValidator']>;

/**
 * No route has a schema. Without these compilers Fastify would load its own, which are in no bundle. The cast is needed
 * because Fastify's types only know ajv's validators.
 */
const WITHOUT_SCHEMAS: SchemaController = {
  compilersFactory: {
    buildValidator: (() => () => () => true) as unknown as BuildValidator,
    buildSerializer: () => () => JSON.stringify,
  },
};

/**
 * Builds the demo CMS: an upstream with every call of the specification, section 7, and an image host under `/media`. Does
 * not listen. Throws `ContentError` where the content has mistakes.
 */
export function buildDemoCms({
  dataDir,
  clock = Date.now,
  faults = false,
  content = loadContent(),
  pictures = createPictureFolder(),
}: DemoCmsOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    routerOptions: { maxParamLength: 1024 },
    // Calls that hang on purpose must not delay closing.
    forceCloseConnections: true,
    schemaController: WITHOUT_SCHEMAS,
  });
  const repository = createPostRepository(publishPosts(content, clock()));
  const store = openStore(dataDir);
  app.addHook('onClose', async () => store.close());

  if (faults) faultSwitches(app);
  postRoutes(app, { repository, search: createSearch(repository.posts), views: store.viewsByPost });
  submissionRoutes(app, { store, repository });
  listRoutes(app, { content, clock });
  mediaRoutes(app, { getPicture: pictures });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, 404, 'There is nothing at this address.'));
  app.get('/lookup', async () => ({ ip: PUBLIC_IP }));
  return app;
}
