import { describe, expect, it } from 'vitest';
import { problemOf, titleOf } from './problem-details.ts';

describe('the title of a problem', () => {
  it.each([
    [400, 'Bad Request'],
    [404, 'Not Found'],
    [405, 'Method Not Allowed'],
    [406, 'Not Acceptable'],
    [408, 'Request Timeout'],
    [411, 'Length Required'],
    [412, 'Precondition Failed'],
    [413, 'Content Too Large'],
    [414, 'URI Too Long'],
    [415, 'Unsupported Media Type'],
    [416, 'Range Not Satisfiable'],
    [417, 'Expectation Failed'],
    [421, 'Misdirected Request'],
    [422, 'Unprocessable Content'],
    [426, 'Upgrade Required'],
    [429, 'Too Many Requests'],
    [431, 'Request Header Fields Too Large'],
    [500, 'Internal Server Error'],
    [501, 'Not Implemented'],
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
    [505, 'HTTP Version Not Supported'],
  ])('of status %i is its reason phrase in RFC 9110 or RFC 6585: %s', (status, phrase) => {
    expect(titleOf(status)).toBe(phrase);
  });

  it('is that of the status of a plugin’s error', () => {
    expect(problemOf(Object.assign(new Error('inside'), { statusCode: 412 }))).toEqual({
      type: 'about:blank',
      title: 'Precondition Failed',
      status: 412,
      detail: 'Precondition Failed',
    });
  });
});
