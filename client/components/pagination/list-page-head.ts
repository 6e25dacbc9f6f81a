/** Returns title and description of a page of a list, with its number from page 2 on. `page` counts from 1. */
export function listPageHead(page: number, title: string, description: string) {
  if (page === 1) return { title, description };
  return { title: `${title}, page ${page}`, description: `Page ${page}. ${description}` };
}
