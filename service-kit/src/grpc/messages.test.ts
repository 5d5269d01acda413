import { RequestAdResponse, ServingServiceService } from '@placard/protos/serving/v1/serving.js';
import { SpendServiceService, type ReportServingRequest } from '@placard/protos/events/v1/events.js';
import { expect } from 'chai';

const { requestAd } = ServingServiceService;
const { reportServing } = SpendServiceService;

function fillOf(token: string): RequestAdResponse {
  const value = {
    adId: 'ad_1',
    campaignId: 'cmp_1',
    creativeId: 'cr_1',
    format: 1,
    creativeType: 1,
    creativeUrl: 'https://cdn.example.com/ü.png',
    clickUrl: '',
    width: 320,
    height: undefined,
    durationSeconds: 12.5,
    impressionToken: token,
    expiresAtMs: 9_007_199_254_740_993n,
    test: false,
  } as const;
  return { requestId: 'req_1', result: { $case: 'fill', value } };
}

describe('the messages of services', () => {
  it('are the bytes that the library writes, one behind the other and of any size', () => {
    for (const length of [0, 720, 40_000, 200_000, 1]) {
      const fill = fillOf('x'.repeat(length));
      const bytes = requestAd.responseSerialize(fill);
      expect(bytes.equals(RequestAdResponse.encode(fill).finish()), `${length}`).to.equal(true);
    }
  });

  it('keep their bytes while others are written', () => {
    const first = requestAd.responseSerialize(fillOf('first'));
    const copy = Buffer.from(first);
    requestAd.responseSerialize(fillOf('second and longer'));
    expect(first.equals(copy)).to.equal(true);
  });

  it('begin anew behind one that cannot be written', () => {
    const report: ReportServingRequest = {
      reporterId: 'reporter',
      sequence: 2n ** 70n,
      requests: [],
      fills: [],
      traffic: [],
      losses: [],
    };
    expect(() => reportServing.requestSerialize(report)).to.throw('too large');
    const fill = fillOf('token');
    expect(requestAd.responseSerialize(fill).equals(RequestAdResponse.encode(fill).finish())).to.equal(true);
  });
});
