// A stand-in for the check of all settings. AD_TTL_SECONDS=wrong is a fault.
if (process.env.AD_TTL_SECONDS === 'wrong') {
  console.log('Wrong settings:\n  AD_TTL_SECONDS: must be a whole number (serving-service)');
  process.exitCode = 78;
}
