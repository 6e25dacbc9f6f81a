import type { ReactNode } from 'react';

/** A number as the dashboard shows it, read from a `T`. Its label names its explanation (`explanations.ts`). */
export interface Metric<T> {
  label: string;
  of: (source: T) => ReactNode;
  isAlarming?: (source: T) => boolean;
}
