/**
 * The exchange benchmarks: order-latency and order-throughput, the whole exchange beside another whole exchange.
 */
package io.millrace.benchmarks.exchange;
