import type { FastifyRequest } from 'fastify';

/** The media type of a form post without scripts. */
export const FORM_POST = 'application/x-www-form-urlencoded';

/** Returns whether a request is a form post. Its `mediaType` is in lower case and without parameters (RFC 9110, 8.3.1). */
export function isFormPost({ method, mediaType }: Pick<FastifyRequest, 'method' | 'mediaType'>): boolean {
  return method === 'POST' && mediaType === FORM_POST;
}
