const KEY = 'dashboard-token';

/** Returns the operators' token. It is kept in this tab alone: not in a cookie, which browsers send by themselves. */
export function storedToken(): string | null {
  return sessionStorage.getItem(KEY);
}

/** Keeps another token, or none, and starts anew: a token sees nothing that another one has loaded. */
export function changeToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
  location.reload();
}
