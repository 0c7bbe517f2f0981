/**
 * The exchange benchmarks: order-latency and order-throughput, the whole exchange compared with another one.
 */
package io.millrace.benchmarks.exchange;
