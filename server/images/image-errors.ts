/** The image does not exist or cannot be served: too large, a redirect, not an image. Sent as 404. */
export class ImageNotFound extends Error {
  override readonly name = 'ImageNotFound';
}

/** The image host failed (a network error, a timeout, a 5xx), or its circuit breaker is open. Sent as 502. */
export class ImageHostFailed extends Error {
  override readonly name = 'ImageHostFailed';
}

/** The transform took too long, which says nothing about the original's other widths and formats. Sent as 502. */
export class TransformTimedOut extends Error {
  override readonly name = 'TransformTimedOut';
}
