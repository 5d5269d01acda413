import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { fromWireStatus, toWireStatus } from '../src/grpc/wire-errors.js';
import { appError } from '../src/process/errors.js';

describe('an error on the wire', () => {
  it('is that of the peer, but server_error when its code is one of a newer release', () => {
    const sent = toWireStatus(appError('format_mismatch', 'Another format.'));
    const read = (trailer: Buffer) =>
      fromWireStatus({ code: status.FAILED_PRECONDITION, details: '', trailer }, 'serving-service', null);
    expect(read(sent.trailer)).to.include({ code: 'format_mismatch', publicText: 'Another format.' });
    const newer = Buffer.from(sent.trailer.toString().replace('format_mismatch', 'of_a_newer_release'));
    expect(read(newer)).to.include({ code: 'server_error', publicText: 'serving-service failed.' });
  });
});
