import type { Command } from 'commander';
import { dataDirOf, withInstance, type CommandIo } from '../../cli/session.js';
import { shownAmount } from './shown-amount.js';
import { toLines } from '../../cli/to-lines.js';

/** Adds `advertiser deposit`. */
export function addAdvertiserCommands(program: Command, io: CommandIo): void {
  const advertiser = program.command('advertiser').description('Accounts of advertisers.');
  advertiser
    .command('deposit')
    .description('Credit an advertiser. The same deposit given twice is credited once.')
    .argument('<ID>', 'advertiser, such as adv_northwind')
    .argument('<AMOUNT>', 'decimal, above zero, at most 9 decimals, such as 250.00')
    .requiredOption('--reference <REF>', 'unique name of the deposit, such as an invoice number')
    .action((id: string, amount: string, options: { readonly reference: string }, command: Command) =>
      withInstance({ io, dataDir: dataDirOf(command) }, async (client) => {
        const { reference } = options;
        const { isNew } = await client.deposit({ advertiserId: id, amount, reference });
        io.out(
          toLines(
            isNew
              ? `credited ${shownAmount(amount)} to ${id} (reference ${reference})`
              : `reference ${reference} is booked already with this amount for ${id}; nothing to do`,
          ),
        );
      }),
    );
}
