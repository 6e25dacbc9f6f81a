const KEY = 'dashboard-token';

/** The operators' token, kept in this tab alone: not in a cookie, which browsers send by themselves. */
export const tokenStore = {
  token: (): string | null => sessionStorage.getItem(KEY),
  keep: (token: string): void => sessionStorage.setItem(KEY, token),
  forget: (): void => sessionStorage.removeItem(KEY),
};
