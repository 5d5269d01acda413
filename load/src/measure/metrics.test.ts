import { expect } from 'chai';
import { valueOf } from './metrics.js';

const TEXT = `# HELP calls_seconds Duration of calls
# TYPE calls_seconds histogram
calls_seconds_bucket{le="0.1",peer="a",method="ask"} 7
calls_seconds_sum{peer="a",method="ask"} 0.5
calls_seconds_count{peer="a",method="ask"} 2
calls_seconds_sum{peer="b",method="ask"} 0.25
calls_seconds_sum{peer="b",method="ask again"} 8
calls_seconds 1
up 3
`;

describe('the value of a metric', () => {
  it('is that of its only series without labels', () => {
    expect(valueOf(TEXT, 'up')).to.equal(3);
    expect(valueOf(TEXT, 'calls_seconds')).to.equal(1);
  });

  it('is the sum of the series with the requested labels', () => {
    expect(valueOf(TEXT, 'calls_seconds_sum', { method: 'ask' })).to.equal(0.75);
    expect(valueOf(TEXT, 'calls_seconds_sum', { peer: 'b' })).to.equal(8.25);
    expect(valueOf(TEXT, 'calls_seconds_sum')).to.equal(8.75);
  });

  it('is 0 when nothing was counted', () => {
    expect(valueOf(TEXT, 'calls_seconds_count', { peer: 'c' })).to.equal(0);
    expect(valueOf(TEXT, 'down')).to.equal(0);
  });
});
