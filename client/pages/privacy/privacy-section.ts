import type { ReactNode } from 'react';

/** One section of the privacy policy. */
export interface PrivacySection {
  /** URL fragment. */
  id: string;
  title: string;
  text: ReactNode;
}
