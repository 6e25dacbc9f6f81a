/** Paths of the health checks. They need no origin secret, and are neither counted nor logged: nobody reads what they serve. */
export const HEALTH_CHECK_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
