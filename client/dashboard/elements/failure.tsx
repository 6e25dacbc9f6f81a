/** Says in its place that something could not be loaded; what is shown beside it is old. */
export function Failure({ error }: { error: Error | null }) {
  return error && <p className="bad">Not up to date: {error.message}</p>;
}
