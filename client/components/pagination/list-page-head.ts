/** Title and description of a page of a list: the second and later ones say which they are. `page`: from 1. */
export function listPageHead(page: number, title: string, description: string) {
  if (page === 1) return { title, description };
  return { title: `${title}, page ${page}`, description: `Page ${page}. ${description}` };
}
