/** What the privacy policy says of the publication, as Markdown. */
export interface PolicyValues {
  name: string;
  publisher: string;
  /** A link to the address for questions about data. */
  mail: string;
  /** Telephone numbers; null where there is none. */
  ccpa: string | null;
  helpline: string | null;
}
