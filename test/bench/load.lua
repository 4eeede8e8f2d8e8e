-- Prints the summary that serve.ts reads as the last line.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"p99":%d,"failures":%d}\n',
    summary.requests,
    summary.duration,
    latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
