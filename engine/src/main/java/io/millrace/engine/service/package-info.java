/**
 * The matching engine on the server: pooled commands in, pooled executions out. The only package of the engine that
 * knows of threads, pools and flows.
 */
package io.millrace.engine.service;
