import './patient.css'
