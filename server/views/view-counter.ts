export interface ViewCounter {
  count(view: { postId: string; ip: string }): void;
}
