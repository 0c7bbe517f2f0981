/**
 * Requests between two processes: the exchange of module ipc, next to a loop in C, a bare cache line, Aeron IPC and a
 * socket.
 */
package io.millrace.benchmarks.ipc;
