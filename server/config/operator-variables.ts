import { z } from 'zod';
import { HOST, PORT, secret, TOKEN, variable, whereValid } from './variable.ts';

const LOOPBACK = /^(localhost|::1|127\.\d+\.\d+\.\d+)$/;

/** The operators’ listener. */
export const operatorVariables = z
  .object({
    port: variable('OPS_PORT', '3001', 'port of the operators’ listener; 0 turns it off', PORT),
    host: variable(
      'OPS_HOST',
      '127.0.0.1',
      'address of the operators’ listener; anything but loopback needs OPS_TOKEN',
      HOST,
    ),
    token: secret('OPS_TOKEN', 'bearer token of the operators’ listener', TOKEN),
    readToken: secret(
      'OPS_READ_TOKEN',
      'second bearer token of the operators’ listener, beside OPS_TOKEN, which may read and change nothing',
      TOKEN,
    ),
    purgeToken: secret(
      'OPS_PURGE_TOKEN',
      'third bearer token of the operators’ listener, beside OPS_TOKEN, which may purge and nothing else: for the CMS',
      TOKEN,
    ),
  })
  .refine(({ token, readToken }) => readToken === null || (token !== null && token !== readToken), {
    path: ['readToken'],
    message: 'another token than OPS_TOKEN, which it needs beside it,',
    when: whereValid('token', 'readToken'),
  })
  .refine(
    ({ token, readToken, purgeToken }) =>
      purgeToken === null || (token !== null && ![token, readToken].includes(purgeToken)),
    {
      path: ['purgeToken'],
      message: 'another token than OPS_TOKEN, which it needs beside it, and than OPS_READ_TOKEN,',
      when: whereValid('token', 'readToken', 'purgeToken'),
    },
  )
  .refine(({ port, host, token }) => port === 0 || token !== null || LOOPBACK.test(host), {
    path: ['token'],
    message: 'a token, because OPS_HOST is not loopback',
    when: whereValid('port', 'host', 'token'),
  });
