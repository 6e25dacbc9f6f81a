import Link from 'next/link';
import type { ReactNode } from 'react';
import { type Menus, type Story, srcSet } from '../demo-cms';

export function Page({ menus, children }: Menus & { children: ReactNode }) {
  return (
    <>
      <header className="header">
        <Link href="/">Martech Meridian</Link>
        <nav>
          {menus.map((menu) => (
            <details key={menu.name} name="menu">
              <summary>{menu.name}</summary>
              {menu.columns.map((column) => (
                <section key={column.title}>
                  <h2>{column.title}</h2>
                  <ul>
                    {column.stories.map((story) => (
                      <li key={story.id}>
                        {story.image && (
                          <img src={`${story.image}?width=150`} alt="" width={150} height={84} />
                        )}
                        <Link href={story.path}>{story.title}</Link>
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </details>
          ))}
        </nav>
      </header>
      <main id="main">{children}</main>
      <footer className="footer">Martech Meridian</footer>
    </>
  );
}

export function Card({ story, lead = false }: { story: Story; lead?: boolean }) {
  return (
    <article className="post-card" data-section={story.section}>
      {story.image && (
        <img
          src={`${story.image}?width=500`}
          srcSet={srcSet(story.image, [200, 300, 500, 700])}
          sizes="(min-width: 768px) 400px, 100vw"
          alt={story.title}
          width={500}
          height={281}
          loading={lead ? 'eager' : 'lazy'}
          fetchPriority={lead ? 'high' : 'auto'}
        />
      )}
      <p className="kicker">{story.section}</p>
      <h3 className="post-card-title">
        <Link href={story.path}>{story.title}</Link>
      </h3>
      {lead && <p className="post-card-excerpt">{story.excerpt}</p>}
      <p className="post-meta">
        {story.author} <time dateTime={story.date}>{story.date}</time> {story.minutes}
      </p>
    </article>
  );
}

export function Section({ title, stories }: { title: string; stories: Story[] }) {
  return (
    <section>
      <h2>{title}</h2>
      {stories.map((story) => (
        <Card key={story.id} story={story} />
      ))}
    </section>
  );
}
