import { home } from '../demo-cms';
import { ask } from './ask';
import { Card, Page, Section } from './parts';

export const revalidate = 60;

export const metadata = { title: 'Martech Meridian' };

export default async function Home() {
  const { menus, top, ...sections } = await home(ask);
  return (
    <Page menus={menus}>
      <h1>Latest</h1>
      {top.map((story, index) => (
        <Card key={story.id} story={story} lead={index === 0} />
      ))}
      <Section title="Latest" stories={sections.latest} />
      <Section title="Popular" stories={sections.popular} />
      <Section title="Podcasts" stories={sections.podcasts} />
      <Section title="Guest Authors" stories={sections.guests} />
      <Section title="Quick Bytes" stories={sections.quickBytes} />
      <Section title="Articles" stories={sections.articles} />
    </Page>
  );
}
