import { site } from '#shared/site.ts';
import { Mark } from '../components/mark/mark.tsx';

/** The name in the headline serif, beside the mark. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <Mark />
      <span className="wordmark-name">{site.name}</span>
    </span>
  );
}
