interface ListedPost {
  cat_slug: string;
  post_name: string;
  post_title: string;
}

/** Returns the path of the first post of a category in the demo CMS whose details match. */
export async function findPost(
  demoCms: string,
  category: string,
  has: (post: Record<string, unknown>) => boolean,
): Promise<string> {
  const response = await fetch(`${demoCms}/api/post/topic/${category}?page=1&limit=100`);
  const { posts }: { posts: { postData: ListedPost[] } } = await response.json();
  for (const { cat_slug, post_name } of posts.postData) {
    const detail: { result: Record<string, unknown>[] } = await (
      await fetch(`${demoCms}/api/post/postdetails/${cat_slug}/${post_name}`)
    ).json();
    if (detail.result[0] && has(detail.result[0])) return `/${cat_slug}/${post_name}`;
  }
  throw new Error(`the demo CMS has no such post in ${category}`);
}

/** Whether an article has H2 and H3 headings and more text than a window holds. */
export const isLong = (post: Record<string, unknown>) =>
  /<h2>.*<h3>/s.test(String(post['post_content'])) && String(post['post_content']).length > 4_000;
