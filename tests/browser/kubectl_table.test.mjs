import assert from 'node:assert/strict';
import { test } from 'node:test';

import { agrees, read } from './kubectl_table.mjs';

test('cells are read below their heads, empty ones and those with spaces too', () => {
  const text = ['NAME    NOMINATED NODE   MESSAGE   AGE', 'web-1   <none>           a b  c    5m', `${'db'.padEnd(35)}1s`, ''];
  assert.deepEqual(read(text.join('\n')), {
    columns: ['NAME', 'NOMINATED NODE', 'MESSAGE', 'AGE'],
    rows: [['web-1', '<none>', 'a b  c', '5m'], ['db', '', '', '1s']],
  });
});

test('ages agree within a tick, everything else only when it is the same', () => {
  assert.ok(agrees('5m3s', '5m2s', '5m2s'));
  assert.ok(agrees('3 (60s ago)', '3 (58s ago)', '3 (61s ago)'));
  assert.ok(agrees('3h', '179m', '3h'));
  assert.ok(!agrees('5m5s', '5m2s', '5m3s'));
  assert.ok(!agrees('4 (60s ago)', '3 (60s ago)', '3 (60s ago)'));
  assert.ok(!agrees('Running', 'Pending', 'Succeeded'));
  assert.ok(!agrees('<none>', '5s', '5s'));
});
