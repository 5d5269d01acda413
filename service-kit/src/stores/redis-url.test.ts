import { expect } from 'chai';
import { parseRedisUrl } from './redis-url.js';

const ONE = {
  nodes: [{ host: 'h', port: 6379 }],
  isCluster: false,
  isTls: false,
  username: null,
  password: null,
  database: 0,
};

describe('a URL of Redis', () => {
  for (const [text, differs] of [
    ['redis://h', {}],
    ['redis://h/', {}],
    ['redis://h:6380/5', { nodes: [{ host: 'h', port: 6380 }], database: 5 }],
    ['redis://:secret@h', { password: 'secret' }],
    ['rediss://user:secret@h', { isTls: true, username: 'user', password: 'secret' }],
    ['redis://u:p%40ss%2Fword@h', { username: 'u', password: 'p@ss/word' }],
    ['redis://u:p@ss:word@h', { username: 'u', password: 'p@ss:word' }],
    ['redis://my_redis:1', { nodes: [{ host: 'my_redis', port: 1 }] }],
    ['redis://[fd00::1]:1', { nodes: [{ host: 'fd00::1', port: 1 }] }],
    ['redis-cluster://h:6379', { isCluster: true }],
    [
      'rediss-cluster://u:a,b@[::1]:1,b.example:2',
      {
        isCluster: true,
        isTls: true,
        username: 'u',
        password: 'a,b',
        nodes: [
          { host: '::1', port: 1 },
          { host: 'b.example', port: 2 },
        ],
      },
    ],
  ] as const) {
    it(`is read: ${text}`, () => {
      expect(parseRedisUrl(text)).to.deep.equal({ ...ONE, ...differs });
    });
  }

  for (const text of [
    'http://h',
    'redis:h',
    'redis://',
    'redis://h:0',
    'redis://h:65536',
    'redis://h/x',
    'redis://h?tls=false',
    'redis://h#x',
    'redis://u:%zz@h',
    'redis://a:1,b:2',
    'redis-cluster://h',
    'redis-cluster://a:1,,b:2',
    'redis-cluster://a:1/5',
    'redis-cluster://u:p@a:1,u:p@b:2/x',
    'valkey://h',
  ]) {
    it(`is refused: ${text}`, () => {
      expect(parseRedisUrl(text)).to.equal(null);
    });
  }
});
