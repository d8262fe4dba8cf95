"""Feasibility: is there a choice of counts that fits the report?"""
