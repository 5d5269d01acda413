import { closeSync, openSync } from 'node:fs';
import { expect } from 'chai';
import { descriptorLimitOf, openDescriptorsOf, parseDescriptorLimit } from './descriptors.js';

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describe('the limit of open files', () => {
  const limits = (files: string): string => `Limit   Soft Limit   Hard Limit   Units
Max cpu time              unlimited            unlimited            seconds
Max open files            ${files}               20000                files
`;

  it('is the soft one', () => {
    expect(parseDescriptorLimit(limits('1024'))).to.equal(1_024);
  });

  it('may be none', () => {
    expect(parseDescriptorLimit(limits('unlimited'))).to.equal(null);
  });
});

describeOnLinux('the open files of a process', () => {
  it('are counted, below its limit', () => {
    const before = openDescriptorsOf(process.pid) ?? 0;
    const files = [openSync('/dev/null', 'r'), openSync('/dev/null', 'r')];
    expect(openDescriptorsOf(process.pid)).to.equal(before + 2);
    files.forEach((file) => closeSync(file));
    expect(descriptorLimitOf(process.pid)).to.be.above(before);
  });
});
