/**
 * Sinks carry BBO events out of the process: to TCP clients, MQTT and Kafka brokers, CSV files and the console. Each
 * sink has its own queue and its own agent, so a slow or dead one delays nobody else.
 */
package io.millrace.gateway.sink;
