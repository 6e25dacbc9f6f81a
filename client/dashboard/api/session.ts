const KEY = 'cockpit-token';

/** The operators' token in this tab: gone with it, and never sent by the browser of its own accord. */
export const session = {
  token: (): string | null => sessionStorage.getItem(KEY),
  keep: (token: string): void => sessionStorage.setItem(KEY, token),
  forget: (): void => sessionStorage.removeItem(KEY),
};
