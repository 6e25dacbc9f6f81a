import { expect, it } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { greeting } from './greeting.ts';

it('names the addresses of site and dashboard, and the demo CMS', () => {
  const text = greeting(readConfig({ PORT: '8080' }));
  expect(text).toContain('http://localhost:8080\n');
  expect(text).toContain('http://127.0.0.1:3001\n');
  expect(text).toContain('the demo CMS');
});

it('names the WordPress', () => {
  expect(greeting(readConfig({ WORDPRESS_URL: 'https://example.org' }))).toContain(
    'WordPress at https://example.org\n',
  );
});

it('names the upstream, and a dashboard that is off', () => {
  const text = greeting(readConfig({ API_HOST: 'https://cms.example.com/v1', OPS_PORT: '0', HOST: '::1' }));
  expect(text).toContain('http://[::1]:3000\n');
  expect(text).toContain('off');
  expect(text).toContain('https://cms.example.com/v1');
});
