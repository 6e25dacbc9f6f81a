import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPolicies, DEFAULT_POLICIES, type Policies } from '#server/cache/policies.ts';
import { createPolicyStore, POLICY_FILE } from './policy-store.ts';

let dir: string;
let lines: string[];
let policies: Policies;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'policies-'));
  lines = [];
  policies = createPolicies(DEFAULT_POLICIES);
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function file(at = dir, of = policies) {
  const note = (_fields: object, message: string) => void lines.push(message);
  return createPolicyStore({ dir: at, policies: of, logger: { warn: note, error: note } });
}

describe('the policy store', () => {
  it('restores what was changed, and nothing else', async () => {
    const own = file();
    await own.load();
    policies.set('topic', { ttl: 5 });
    policies.set('topic', { sie: 9 });
    policies.set('ads', { ttl: 6 });
    policies.reset('ads');
    expect(await own.persisted()).toBe(true);
    const later = createPolicies({ ...DEFAULT_POLICIES, topic: { ttl: 1, swr: 2, sie: 3 } });
    await file(dir, later).load();
    expect(later.changes()).toEqual({ topic: { ttl: 5, sie: 9 } });
    expect(later.get('topic')).toEqual({ ttl: 5, swr: 2, sie: 9 });
    expect(lines).toEqual([]);
  });

  it('writes what another instance has put into force', async () => {
    const own = file();
    await own.load();
    policies.set('ads', { ttl: 6 });
    policies.replace({ topic: { ttl: 5 } });
    expect(await own.persisted()).toBe(true);
    expect(JSON.parse(readFileSync(join(dir, POLICY_FILE), 'utf8'))).toEqual({ topic: { ttl: 5 } });
  });

  it('keeps nothing of a change that was taken back', async () => {
    const { ttl, swr, sie } = DEFAULT_POLICIES.topic;
    policies.set('topic', { ttl: 5, swr: 6 });
    policies.set('topic', { ttl, sie });
    expect(policies.changes()).toEqual({ topic: { swr: 6 } });
    policies.set('topic', { swr });
    expect(policies.changes()).toEqual({});
    expect(policies.get('topic')).toEqual({ ttl, swr, sie });
  });

  it('holds the last of many changes, and leaves no temporary files', async () => {
    const own = file();
    await own.load();
    const saves = Array.from({ length: 20 }, (_, ttl) => {
      policies.set('topic', { ttl });
      return own.persisted();
    });
    expect(await Promise.all(saves)).not.toContain(false);
    expect(JSON.parse(readFileSync(join(dir, POLICY_FILE), 'utf8'))).toEqual({ topic: { ttl: 19 } });
    expect(readdirSync(dir)).toEqual([POLICY_FILE]);
  });

  it('accepts a missing file', async () => {
    await file().load();
    expect(policies.changes()).toEqual({});
    expect(lines).toEqual([]);
  });

  it.each(['', 'null', '{"topic":{}}', '{"topic":{"ttl":1e9}}'])(
    'ignores the whole file where it holds %j',
    async (text) => {
      writeFileSync(join(dir, POLICY_FILE), text);
      await file().load();
      expect(policies.changes()).toEqual({});
      expect(lines).toHaveLength(1);
    },
  );

  it('applies the others where another version has written a resource that this one lacks', async () => {
    writeFileSync(join(dir, POLICY_FILE), '{"topic":{"ttl":5},"later":{"ttl":6}}');
    await file().load();
    expect(policies.changes()).toEqual({ topic: { ttl: 5 } });
    expect(lines).toEqual(['persisted cache policies ignored: no such resources']);
  });

  it('reports a failing disk, and the change stays in force', async () => {
    writeFileSync(join(dir, 'no-folder'), '');
    const own = file(join(dir, 'no-folder'));
    await own.load();
    lines = [];
    policies.set('topic', { ttl: 5 });
    expect(await own.persisted()).toBe(false);
    expect(policies.get('topic').ttl).toBe(5);
    expect(lines).toHaveLength(1);
  });
});
