import type { ReactNode } from 'react';

/** One section of the privacy policy. */
export interface PrivacySection {
  /** The fragment that leads to it. */
  id: string;
  title: string;
  text: ReactNode;
}
