import type { Command } from 'commander';
import { answerOf, dataDirOf, onceOnly, withInstance, type CommandIo } from '../../cli/session.js';
import { bookingText } from './booking-output.js';

/** Adds `advertiser deposit` and `advertiser refund`. */
export function addAdvertiserCommands(program: Command, io: CommandIo): void {
  const advertiser = program.command('advertiser').description('Accounts of advertisers.');
  advertiser
    .command('deposit')
    .description('Credit an advertiser. The same deposit given twice is credited once.')
    .argument('<ID>', 'advertiser, such as adv_northwind or advertiser:adv_northwind')
    .argument('<AMOUNT>', 'decimal, above zero, at most 9 decimals, such as 250.00')
    .requiredOption('--reference <REF>', 'unique name of the deposit, such as an invoice number')
    .action((id: string, amount: string, options: { readonly reference: string }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const body = { amount, reference: options.reference };
        const params = { path: { id }, header: onceOnly() };
        const booked = await answerOf(client.POST('/advertisers/{id}/deposits', { params, body }));
        io.out(bookingText({ what: 'credited', account: id, ...body }, booked));
      }),
    );
  advertiser
    .command('refund')
    .description('Give money back to an advertiser. The same refund given twice is booked once.')
    .argument('<ID>', 'advertiser, such as adv_northwind or advertiser:adv_northwind')
    .argument(
      '<AMOUNT>',
      'decimal, above zero, at most 9 decimals, at most the balance that no open lease holds',
    )
    .requiredOption('--reference <REF>', 'unique name of the refund, such as the number of a transfer')
    .action((id: string, amount: string, options: { readonly reference: string }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const body = { amount, reference: options.reference };
        const params = { path: { id }, header: onceOnly() };
        const booked = await answerOf(client.POST('/advertisers/{id}/refunds', { params, body }));
        io.out(bookingText({ what: 'refunded', account: id, ...body }, booked));
      }),
    );
}
